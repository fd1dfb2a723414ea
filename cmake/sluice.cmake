# The functions the lists of this project are written in, and what every target shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# The libraries also become a Python module, which shows none of its names to its process. Programs
# are compiled alike, so that they share what is precompiled.
add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=>-fPIC)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

option(SLUICE_TESTS "build the tests, the fuzz replays and the examples" ON)
set(SLUICE_SANITIZE "" CACHE STRING "sanitizers for everything, e.g. address,undefined")
set(SLUICE_FUZZER OFF CACHE BOOL "build fuzz targets with libFuzzer (clang) and not as replays")

find_program(SLUICE_CCACHE ccache)
if(SLUICE_CCACHE)
    # So that another clone of the same sources finds what this one compiled. The words after
    # SLOPPINESS are what ccache asks of those who precompile headers.
    set(launcher "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        "${SLUICE_CCACHE}")
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
endif()

add_library(sluice_flags INTERFACE)
target_include_directories(sluice_flags INTERFACE
    "${CMAKE_SOURCE_DIR}/include" "${CMAKE_SOURCE_DIR}/src" "${CMAKE_BINARY_DIR}/generated")
# Contraction is off because a*b+c must have the same bits on every ISA and device.
target_compile_options(sluice_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Werror;-ffp-contract=off>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:SLUICE_IS_TEST>>>>:-Wconversion>)
if(SLUICE_SANITIZE)
    # GCC 12 warns of bounds in code that the sanitizers themselves put in, and that TSan does not know
    # fences: device/past_caches.cpp empties a processor's buffers with one, which orders no threads;
    # slide/tile_cache.cpp takes memory from its last owner.
    target_compile_options(sluice_flags INTERFACE -Wno-array-bounds
                           $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-tsan>)
    add_compile_options(-fsanitize=${SLUICE_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SLUICE_SANITIZE})
endif()
if(SLUICE_FUZZER)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

execute_process(COMMAND git describe --always --dirty --abbrev=12
                WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
                OUTPUT_VARIABLE SLUICE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
configure_file("${CMAKE_SOURCE_DIR}/cmake/build.h.in" "${CMAKE_BINARY_DIR}/generated/build.h")
configure_file("${CMAKE_SOURCE_DIR}/cmake/test_data.h.in" "${CMAKE_BINARY_DIR}/generated/test_data.h")

include(dependencies)
include(isa)
include(cuda)
include(pch)
include(unity)

# An entry of layers.cmake: one static library out of src/<path>/**.cpp.
# By suffix: x_test.cpp goes into test_<name>, test_x.cpp into <name>_testing, for the tests of this
# layer and of those right above it, x_fuzz.cpp becomes a fuzz target, x.isa.cpp is compiled once
# per instruction set, plugin.cpp becomes a library of its own (mpi.cmake), x.cu is compiled by nvcc,
# or as C++ where nvcc is missing. JSON: most files of the layer read nlohmann/json.hpp. PUBLIC is
# for tools/layers.py.
function(sluice_layer name)
    cmake_parse_arguments(ARG "JSON" "FOLDER" "PUBLIC;DEPENDS" ${ARGN})
    if(NOT ARG_FOLDER)
        set(ARG_FOLDER ${name})
    endif()
    set(dir "${CMAKE_SOURCE_DIR}/src/${ARG_FOLDER}")
    file(GLOB_RECURSE all CONFIGURE_DEPENDS "${dir}/*.cpp")
    file(GLOB_RECURSE cuda CONFIGURE_DEPENDS "${dir}/*.cu")
    set(tests ${all})
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    set(fuzz ${all})
    list(FILTER fuzz INCLUDE REGEX "_fuzz\\.cpp$")
    set(per_isa ${all})
    list(FILTER per_isa INCLUDE REGEX "\\.isa\\.cpp$")
    set(testing ${all})
    list(FILTER testing INCLUDE REGEX "/test_[^/]*\\.cpp$")
    list(FILTER all EXCLUDE REGEX "(_test|_fuzz|\\.isa)\\.cpp$|/(test_[^/]*|plugin)\\.cpp$")
    list(APPEND all ${cuda})
    if(NOT SLUICE_CUDA)
        set_source_files_properties(${cuda} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-xc++")
    endif()
    # Who is linked with an installed library compiles none of its sources.
    set(built_only sluice_flags ${ARG_DEPENDS})
    list(FILTER built_only INCLUDE REGEX "^(nlohmann_json|toml11|Boost|Gemmi)::|^sluice_flags$")
    set(linked ${ARG_DEPENDS})
    list(REMOVE_ITEM linked ${built_only})
    list(TRANSFORM built_only REPLACE "(.+)" "$<BUILD_INTERFACE:\\1>")
    set(scope PUBLIC)
    if(all OR per_isa)
        add_library(${name} STATIC ${all})
        set_target_properties(${name} PROPERTIES OUTPUT_NAME sluice_${name})
    else()
        add_library(${name} INTERFACE)
        set(scope INTERFACE)
    endif()
    add_library(sluice::${name} ALIAS ${name})
    set_property(GLOBAL APPEND PROPERTY SLUICE_LAYERS ${name})
    set_property(GLOBAL PROPERTY SLUICE_LAYER_OF_${ARG_FOLDER} ${name})
    if(ARG_FOLDER MATCHES "^domain/")
        set_property(GLOBAL APPEND PROPERTY SLUICE_DOMAINS ${name})
    endif()
    target_compile_features(${name} ${scope} cxx_std_20)
    target_include_directories(${name} INTERFACE $<INSTALL_INTERFACE:include>)
    target_link_libraries(${name} ${scope} ${built_only} ${linked})
    if(scope STREQUAL "INTERFACE")
        return()
    endif()
    set(precompiled plain)
    set(precompiled_test test)
    if(ARG_JSON)
        set(precompiled json)
        set(precompiled_test test_json)
    endif()
    sluice_precompiled(${name} ${precompiled})
    set_source_files_properties(${cuda} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    if(SLUICE_CUDA AND cuda)
        sluice_cuda_target(${name})
    endif()
    foreach(file ${per_isa})
        sluice_per_isa(${name} "${file}")
    endforeach()
    if(SLUICE_TESTS)
        if(testing)
            add_library(${name}_testing STATIC EXCLUDE_FROM_ALL ${testing})
            set_target_properties(${name}_testing PROPERTIES SLUICE_IS_TEST ON UNITY_BUILD OFF)
            target_link_libraries(${name}_testing PUBLIC ${name})
        endif()
        if(tests)
            set(helpers ${name} ${ARG_DEPENDS})
            list(TRANSFORM helpers REPLACE "(.+)" "$<TARGET_NAME_IF_EXISTS:\\1_testing>")
            sluice_test(test_${name} SOURCES ${tests} DEPENDS ${name} ${helpers}
                        PCH ${precompiled_test})
        endif()
        foreach(file ${fuzz})
            sluice_fuzz("${file}" ${name})
        endforeach()
    endif()
endfunction()

# An entry of layers.cmake: the library around a folder links what the folder depends on. The program
# links what its own entry names.
function(sluice_room folder)
    cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
    get_filename_component(around "${folder}" DIRECTORY)
    get_property(layer GLOBAL PROPERTY SLUICE_LAYER_OF_${around})
    if(layer AND ARG_DEPENDS)
        list(REMOVE_ITEM ARG_DEPENDS ${layer})
        target_link_libraries(${layer} PUBLIC ${ARG_DEPENDS})
        if(TARGET test_${layer})
            list(TRANSFORM ARG_DEPENDS REPLACE "(.+)" "$<TARGET_NAME_IF_EXISTS:\\1_testing>")
            target_link_libraries(test_${layer} PRIVATE ${ARG_DEPENDS})
        endif()
    endif()
endfunction()

# An entry of layers.cmake: the program made of src/<path>/**.cpp. Its folders are its own files.
function(sluice_program name)
    cmake_parse_arguments(ARG "" "FOLDER" "DEPENDS" ${ARGN})
    list(FILTER ARG_DEPENDS EXCLUDE REGEX "/")
    file(GLOB_RECURSE all CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${ARG_FOLDER}/*.cpp")
    if(NOT all)
        return()
    endif()
    add_executable(${name} ${all})
    target_link_libraries(${name} PRIVATE sluice_flags ${ARG_DEPENDS})
    sluice_precompiled(${name} json)
    sluice_apart(${name})
endfunction()

# An object file that many programs are linked with.
function(sluice_compiled_once name file)
    if(NOT TARGET ${name})
        add_library(${name} OBJECT "${file}")
        target_link_libraries(${name} PRIVATE sluice_flags)
        set_target_properties(${name} PROPERTIES SLUICE_IS_TEST ON)
    endif()
endfunction()

# One GoogleTest program, entered in CTest case by case. PCH: what it reads precompiled.
function(sluice_test name)
    cmake_parse_arguments(ARG "" "LABEL;PCH" "SOURCES;DEPENDS" ${ARGN})
    sluice_compiled_once(leaks "${CMAKE_SOURCE_DIR}/tests/support/leaks.cpp")
    add_executable(${name} ${ARG_SOURCES} $<TARGET_OBJECTS:leaks>)
    target_link_libraries(${name} PRIVATE sluice_flags ${ARG_DEPENDS} GTest::gtest_main
                          $<TARGET_NAME_IF_EXISTS:jxrlib> $<TARGET_NAME_IF_EXISTS:czi_writer>)
    # Casts in a test hide what it says.
    set_target_properties(${name} PROPERTIES SLUICE_IS_TEST ON UNITY_BUILD OFF)
    if(NOT ARG_PCH)
        set(ARG_PCH test)
    endif()
    sluice_precompiled(${name} ${ARG_PCH})
    gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60)
endfunction()

# A fuzz target: with clang's libFuzzer in the fuzz preset, else linked with a driver that replays
# tests/fuzz/<name>/ and some mutations of it as an ordinary test.
function(sluice_fuzz file layer)
    get_filename_component(name "${file}" NAME_WE)
    set(corpus "${CMAKE_SOURCE_DIR}/tests/fuzz/${name}")
    sluice_compiled_once(leaks "${CMAKE_SOURCE_DIR}/tests/support/leaks.cpp")
    if(SLUICE_FUZZER)
        add_executable(${name} "${file}" $<TARGET_OBJECTS:leaks>)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        target_link_libraries(${name} PRIVATE sluice_flags ${layer})
    else()
        sluice_compiled_once(replay "${CMAKE_SOURCE_DIR}/tests/fuzz/replay.cpp")
        add_executable(${name} "${file}" $<TARGET_OBJECTS:replay> $<TARGET_OBJECTS:leaks>)
        target_link_libraries(${name} PRIVATE sluice_flags ${layer})
        sluice_precompiled(${name} plain)
        add_test(NAME fuzz_replay.${name} COMMAND ${name} "${corpus}")
    endif()
endfunction()

if(SLUICE_TESTS)
    enable_testing()
    include(GoogleTest)
endif()
