# Installing the libraries, their headers, and what CMake and pkg-config need to find them.
# Components: wari_runtime holds the shared libraries, wari_development the rest.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(wari_libraries wari)
if(WARI_C_API)
  list(APPEND wari_libraries wari_c)
endif()
set(wari_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/wari")

install(TARGETS ${wari_libraries} EXPORT wariTargets
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT wari_runtime
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT wari_runtime NAMELINK_COMPONENT wari_development
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT wari_development
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT wariTargets NAMESPACE wari:: DESTINATION "${wari_cmake_dir}" COMPONENT wari_development)
foreach(folder IN LISTS WARI_HEADERS)
  install(DIRECTORY "${folder}/wari" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    COMPONENT wari_development FILES_MATCHING PATTERN "*.hpp")
endforeach()
if(WARI_C_API)
  install(FILES "${PROJECT_SOURCE_DIR}/cpp/capi/include/wari.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    COMPONENT wari_development)
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT wari_development)

# The libraries a linker that is not the C++ compiler's must be told of.
set(wari_cxx_runtime "")
foreach(library IN LISTS CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
  if(library MATCHES "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi|m)$" AND NOT library IN_LIST wari_cxx_runtime)
    list(APPEND wari_cxx_runtime ${library})
  endif()
endforeach()

# Before 1.0 each minor version may change what it offers.
set(wari_compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(wari_compatibility SameMinorVersion)
endif()
get_target_property(wari_type wari TYPE)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/wariConfig.cmake.in" "${PROJECT_BINARY_DIR}/wariConfig.cmake"
  INSTALL_DESTINATION "${wari_cmake_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/wariConfigVersion.cmake" COMPATIBILITY ${wari_compatibility})
install(FILES "${PROJECT_BINARY_DIR}/wariConfig.cmake" "${PROJECT_BINARY_DIR}/wariConfigVersion.cmake"
  DESTINATION "${wari_cmake_dir}" COMPONENT wari_development)

# pkg-config. The prefix is found from the file's own place, so the whole may be moved.
set(wari_pc_dir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH wari_pc_prefix "${wari_pc_dir}" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH wari_pc_libdir "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH wari_pc_includedir "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
string(REGEX REPLACE "/$" "" wari_pc_prefix "${wari_pc_prefix}")
list(TRANSFORM wari_cxx_runtime PREPEND "-l" OUTPUT_VARIABLE wari_pc_runtime)
list(JOIN wari_pc_runtime " " wari_pc_runtime)

function(wari_pkg_config name description libraries)
  set(wari_pc_name ${name})
  set(wari_pc_description "${description}")
  # A static library can only be linked with all that it needs, so that is no private matter.
  if(wari_type STREQUAL "STATIC_LIBRARY")
    set(wari_pc_libs "${libraries} ${wari_pc_runtime} -pthread")
    set(wari_pc_cflags " -DWARI_STATIC")
  else()
    list(GET ARGN 0 wari_pc_libs)
    set(wari_pc_cflags "")
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/wari.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT wari_development)
endfunction()
wari_pkg_config(wari "Rules, analysis and tablebases for Oware, for C++20" "-lwari" "-lwari")
if(WARI_C_API)
  wari_pkg_config(wari_c "Rules, analysis and tablebases for Oware, for C" "-lwari_c -lwari" "-lwari_c")
endif()
