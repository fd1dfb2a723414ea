# Copies the Python files of a folder, and removes copies whose files are no more: a module that became a package
# would still be there beside it.   cmake -DFROM=folder -DTO=folder -P copy_modules.cmake
# SPDX-License-Identifier: Apache-2.0
file(GLOB_RECURSE now RELATIVE "${FROM}" "${FROM}/*.py" "${FROM}/*.pyi" "${FROM}/py.typed" "${FROM}/*.js" "${FROM}/*.yaml")
file(GLOB_RECURSE there RELATIVE "${TO}" "${TO}/*.py" "${TO}/*.pyi")
list(REMOVE_ITEM there ${now})
foreach(one IN LISTS there)
    file(REMOVE "${TO}/${one}")
endforeach()
foreach(one IN LISTS now)
    cmake_path(GET one PARENT_PATH folder)
    file(MAKE_DIRECTORY "${TO}/${folder}")
    file(COPY_FILE "${FROM}/${one}" "${TO}/${one}" ONLY_IF_DIFFERENT)
endforeach()
