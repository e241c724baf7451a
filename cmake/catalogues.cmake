# The texts of `wari play` in other languages: each .po file of python/wari/locale becomes, by Babel, a .mo file of the
# wheel. Included where the extension is built, for a package only.
set(wari_locale "${PROJECT_SOURCE_DIR}/python/wari/locale")
execute_process(COMMAND "${Python_EXECUTABLE}" -c "import babel.messages.frontend" RESULT_VARIABLE wari_no_babel
                OUTPUT_QUIET ERROR_QUIET)
if(wari_no_babel)
  message(FATAL_ERROR "The texts of `wari play` are compiled by Babel, which ${Python_EXECUTABLE} does not have: "
                      "pip install babel")
endif()
file(GLOB wari_catalogues CONFIGURE_DEPENDS RELATIVE "${wari_locale}" "${wari_locale}/*/LC_MESSAGES/wari.po")
foreach(wari_po IN LISTS wari_catalogues)
  string(REGEX MATCH "^[^/]+" wari_language "${wari_po}")
  set(wari_mo "${CMAKE_CURRENT_BINARY_DIR}/locale/${wari_language}/wari.mo")
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/locale/${wari_language}")
  add_custom_command(
    OUTPUT "${wari_mo}"
    COMMAND "${CMAKE_COMMAND}" -E env BABEL_PYPROJECT_TOML=none "${Python_EXECUTABLE}" -m babel.messages.frontend
            --quiet compile --input-file "${wari_locale}/${wari_po}" --output-file "${wari_mo}" --locale "${wari_language}"
    DEPENDS "${wari_locale}/${wari_po}"
    COMMENT "Compiling the texts in ${wari_language}"
    VERBATIM)
  list(APPEND wari_mo_files "${wari_mo}")
  install(FILES "${wari_mo}" DESTINATION "wari/locale/${wari_language}/LC_MESSAGES" COMPONENT python)
endforeach()
add_custom_target(wari_texts ALL DEPENDS ${wari_mo_files})
