# Ranks by MPI: the plug-in libsluice_mpi.so, which the program loads where mpirun started it. So the
# program itself never needs MPI, and starts as fast without.
option(SLUICE_MPI "build libsluice_mpi.so where MPI is" ON)
set(SLUICE_MPI_FOUND OFF)
include(GNUInstallDirs)
set_source_files_properties("${CMAKE_SOURCE_DIR}/src/ranks/mpi/load.cpp" PROPERTIES
    COMPILE_DEFINITIONS "SLUICE_LIBRARIES_FROM_PROGRAM=\"../${CMAKE_INSTALL_LIBDIR}\"")
# The MPI of this machine is none for another architecture.
if(SLUICE_MPI AND NOT CMAKE_CROSSCOMPILING)
    find_package(MPI QUIET COMPONENTS C)
    if(MPI_C_FOUND)
        set(SLUICE_MPI_FOUND ON)
        add_library(sluice_mpi MODULE "${CMAKE_SOURCE_DIR}/src/ranks/mpi/plugin.cpp")
        target_link_libraries(sluice_mpi PRIVATE sluice_flags MPI::MPI_C)
        # Of its C++ interface, which mpi.h would add, nothing is used or linked.
        target_compile_definitions(sluice_mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
        set_target_properties(sluice_mpi PROPERTIES UNITY_BUILD OFF
                              LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
        install(TARGETS sluice_mpi LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT mpi)
    else()
        message(STATUS "MPI is not there: no libsluice_mpi.so (ranks by mpirun)")
    endif()
endif()
