# CUDA is on where nvcc is found; without it x.cu is compiled as C++, and there is no cuda device.
include(CheckLanguage)
option(SLUICE_WITH_CUDA "compile the CUDA device when nvcc is there" ON)
set(SLUICE_CUDA OFF)
if(SLUICE_WITH_CUDA AND NOT SLUICE_SANITIZE)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        set(CMAKE_CUDA_STANDARD 20)
        set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
        enable_language(CUDA)
        # CMake 3.25 does not know yet that nvcc speaks C++20.
        set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
        set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
        find_package(CUDAToolkit REQUIRED)
        set(SLUICE_CUDA ON)
    else()
        message(STATUS "nvcc not found: the cuda device is left out")
    endif()
endif()

# cuDNN's headers, if they are there. The library is opened when a network runs on a GPU, so that one
# program serves machines with it and without. Headers of PyPI's nvidia-cudnn-cu13 will do, which
# need no GPU (docs/guide/music.md).
set(SLUICE_CUDNN_ROOT "" CACHE PATH "a folder with cuDNN's include/cudnn_graph.h")
set(SLUICE_CUDNN OFF)
if(SLUICE_CUDA)
    find_path(SLUICE_CUDNN_INCLUDE cudnn_graph.h HINTS "${SLUICE_CUDNN_ROOT}"
              PATH_SUFFIXES include)
    if(SLUICE_CUDNN_INCLUDE)
        set(SLUICE_CUDNN ON)
    else()
        message(STATUS "cuDNN's headers not found: networks on GPUs use our own convolutions")
    endif()
endif()
file(GLOB cudnn_sources "${CMAKE_SOURCE_DIR}/src/nn/remote/cudnn*.cpp")
set(cudnn_missing "${CMAKE_SOURCE_DIR}/src/nn/remote/cudnn_missing.cpp")
list(REMOVE_ITEM cudnn_sources "${cudnn_missing}")
if(SLUICE_CUDNN)
    set_source_files_properties(${cudnn_sources} PROPERTIES
        COMPILE_OPTIONS "-isystem;${SLUICE_CUDNN_INCLUDE}")
    set_source_files_properties("${cudnn_missing}" PROPERTIES HEADER_FILE_ONLY ON)
else()
    set_source_files_properties(${cudnn_sources} PROPERTIES HEADER_FILE_ONLY ON)
endif()

function(sluice_cuda_target name)
    target_link_libraries(${name} PUBLIC CUDA::cudart_static)
    target_compile_options(${name} PRIVATE
        $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;--expt-relaxed-constexpr;-Xcompiler=-Wall,-ffp-contract=off>)
endfunction()
