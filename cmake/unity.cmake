# Many files compiled as one: half of the processor time of a first build, for `./dev demo` and the
# sanitizers.
#
# A change of one file compiles its whole group anew, so other presets keep the files apart. These
# presets compile with -O1; what is fast is compiled for each instruction set, with -O3 everywhere.
# Tests are never joined: each has names of its own.
if(CMAKE_UNITY_BUILD)
    # The release preset is where warnings count; GCC 12 has false ones of files this long.
    target_compile_options(sluice_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-w>)

    # Files whose own names (those without a header) another file of their layer has too.
    set(SLUICE_ALONE
        app/view/slide/tiles.cpp
        app/view/stem4d/responder.cpp
        codec/blosc/blosc.cpp
        codec/jxr/header.cpp
        domain/proton/config/media_water.cpp
        domain/proton/marching/host_cells.cpp
        domain/proton/metrics/core_sigma.cpp
        domain/proton/volume/sample.cpp
        domain/stem4d/rotation_doubt.cpp
        format/volume/nrrd.cpp
        format/weights/safetensors.cpp
        format/weights/torch_zip.cpp
        store/hot_pixels.cpp)
    list(TRANSFORM SLUICE_ALONE PREPEND "${CMAKE_SOURCE_DIR}/src/")
    set_source_files_properties(${SLUICE_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endif()

# sluice_apart(target): only its shell is joined, since each verb has a `Command` and a `run`.
function(sluice_apart target)
    get_target_property(shell ${target} SOURCES)
    list(FILTER shell INCLUDE REGEX "/shell/")
    set_source_files_properties(${shell} PROPERTIES UNITY_GROUP shell)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
