# The instruction sets a kernel is compiled for: one line each (name, flags). src/device/isa.cpp
# asks the processor at run time which of them it has. On arm64 the baseline has NEON already.
set(SLUICE_ISAS baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND SLUICE_ISAS avx2 avx512)
    set(SLUICE_ISA_FLAGS_baseline -march=x86-64-v2)
    set(SLUICE_ISA_FLAGS_avx2 -march=x86-64-v3)
    # Ice Lake servers and Zen 4 have all of them.
    set(SLUICE_ISA_FLAGS_avx512 "-march=x86-64-v4 -mavx512vpopcntdq -mavx512bitalg -mavx512vnni -mgfni -mprefer-vector-width=512")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        # GCC's bug 105593: its own intrinsics begin with vectors that they leave undefined.
        string(APPEND SLUICE_ISA_FLAGS_avx512 " -Wno-maybe-uninitialized")
    endif()
    separate_arguments(SLUICE_ISA_FLAGS_avx512)
    # Long stretches without a branch: in the order of instructions that suits recent servers, these
    # files take a tenth less time. By the names of the files, without ".isa.cpp".
    set(SLUICE_TUNED squares fast slices line project)
    add_compile_definitions(SLUICE_X86)
endif()

# Optimised in every preset: at -O0 the compiler emits weak symbols, which the linker may merge
# across instruction sets (tools/check_isa.py checks that there are none).
function(sluice_per_isa layer file)
    get_filename_component(stem "${file}" NAME)
    string(REPLACE ".isa.cpp" "" stem "${stem}")
    foreach(isa ${SLUICE_ISAS})
        set(object "isa_${stem}_${isa}")
        add_library(${object} OBJECT "${file}")
        target_link_libraries(${object} PRIVATE sluice_flags)
        target_compile_definitions(${object} PRIVATE SLUICE_ISA=${isa})
        target_compile_options(${object} PRIVATE -O3 -Wno-psabi ${SLUICE_ISA_FLAGS_${isa}})
        if(stem IN_LIST SLUICE_TUNED AND NOT isa STREQUAL "baseline")
            target_compile_options(${object} PRIVATE -mtune=icelake-server)
        endif()
        # Sanitizers take minutes to compile these; fft/squares/passes_test.cpp has them.
        if(stem IN_LIST SLUICE_TUNED AND SLUICE_SANITIZE)
            target_compile_options(${object} PRIVATE -fno-sanitize=all)
        endif()
        target_sources(${layer} PRIVATE $<TARGET_OBJECTS:${object}>)
    endforeach()
endfunction()
