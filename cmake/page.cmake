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

# The same pages as modules for notebooks, which the Python package has beside its files.
function(sluice_notebook_pages folder)
    add_custom_command(
        OUTPUT "${CMAKE_BINARY_DIR}/notebook_pages.stamp"
        COMMAND "${Python3_EXECUTABLE}" "${CMAKE_SOURCE_DIR}/tools/build_page.py" --notebook
                "${folder}"
        COMMAND "${CMAKE_COMMAND}" -E touch "${CMAKE_BINARY_DIR}/notebook_pages.stamp"
        DEPENDS ${page_sources} "${CMAKE_SOURCE_DIR}/tools/build_page.py"
                "${CMAKE_SOURCE_DIR}/page/notebook.mjs"
                "${CMAKE_SOURCE_DIR}/page/package-lock.json"
        COMMENT "Building the viewer's pages for notebooks"
        VERBATIM)
    add_custom_target(notebook_pages DEPENDS "${CMAKE_BINARY_DIR}/notebook_pages.stamp")
endfunction()
