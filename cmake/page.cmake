# The viewer's page: page/ by npm and Vite into one generated source file.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/page/src/*")
file(GLOB page_entries CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/page/*.html")
set(SLUICE_PAGE_CPP "${CMAKE_BINARY_DIR}/generated/page.cpp")
add_custom_command(
    OUTPUT "${SLUICE_PAGE_CPP}"
    COMMAND "${Python3_EXECUTABLE}" "${CMAKE_SOURCE_DIR}/tools/build_page.py" "${SLUICE_PAGE_CPP}"
    DEPENDS ${page_sources} ${page_entries} "${CMAKE_SOURCE_DIR}/tools/build_page.py"
            "${CMAKE_SOURCE_DIR}/page/vite.config.ts"
            "${CMAKE_SOURCE_DIR}/page/package-lock.json"
    COMMENT "Building the viewer's page"
    VERBATIM)
