# The doctest of this machine for another one. It is a header, but its folder also holds the headers of this
# machine's C library, which a compiler for another one must not see: so it is copied to a place of its own.
set(wari_doctest "${CMAKE_BINARY_DIR}/doctest")
find_path(WARI_HOST_DOCTEST doctest/doctest.h PATHS /usr/include /usr/local/include /opt/homebrew/include
  NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
find_path(WARI_HOST_DOCTEST_CMAKE doctest.cmake PATHS /usr/lib/cmake/doctest /usr/local/lib/cmake/doctest
  /opt/homebrew/lib/cmake/doctest NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
configure_file("${WARI_HOST_DOCTEST}/doctest/doctest.h" "${wari_doctest}/doctest/doctest.h" COPYONLY)
list(APPEND CMAKE_MODULE_PATH "${WARI_HOST_DOCTEST_CMAKE}")
if(NOT TARGET doctest::doctest)
  add_library(doctest::doctest INTERFACE IMPORTED)
  set_target_properties(doctest::doctest PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${wari_doctest}")
endif()
