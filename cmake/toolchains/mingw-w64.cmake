# Windows on x86-64 with mingw-w64 (Debian: g++-mingw-w64-x86-64-posix); ctest runs the tests under wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)  # the threads of the standard library need the posix kind
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")  # the programs bring the compiler's libraries with them
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-static")
find_program(WARI_WINE NAMES wine64 wine)
if(WARI_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${WARI_WINE}")
endif()
