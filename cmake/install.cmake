# What is installed: the program, and the libraries with their public headers as the CMake package
# `sluice`, whose targets are sluice::stem4d, sluice::slide, sluice::proton, sluice::music and
# what they stand on.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Whoever installs has built what he installs: the tests are none of it.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(SLUICE_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/sluice")

# The domains and what they stand on; server and viewer are the program's own.
get_property(SLUICE_LIBRARIES GLOBAL PROPERTY SLUICE_LAYERS)
list(REMOVE_ITEM SLUICE_LIBRARIES server view)

# Everything in one target, sluice::sluice, for programs that include <sluice/sluice.h>.
get_property(domains GLOBAL PROPERTY SLUICE_DOMAINS)
add_library(sluice_api INTERFACE)
target_link_libraries(sluice_api INTERFACE ${domains})
set_target_properties(sluice_api PROPERTIES EXPORT_NAME sluice)
add_library(sluice::sluice ALIAS sluice_api)
add_custom_target(package_contents DEPENDS sluice ${SLUICE_LIBRARIES})
if(SLUICE_MPI_FOUND)
    add_dependencies(package_contents sluice_mpi)
endif()

install(TARGETS sluice RUNTIME COMPONENT program)
install(FILES LICENSE NOTICE README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)
install(DIRECTORY include/sluice TYPE INCLUDE COMPONENT development)
install(TARGETS ${SLUICE_LIBRARIES} sluice_api EXPORT sluiceTargets
        ARCHIVE COMPONENT development)
install(EXPORT sluiceTargets NAMESPACE sluice:: DESTINATION "${SLUICE_PACKAGE_DIR}"
        COMPONENT development)
configure_package_config_file(cmake/sluiceConfig.cmake.in generated/sluiceConfig.cmake
                              INSTALL_DESTINATION "${SLUICE_PACKAGE_DIR}")
write_basic_package_version_file(generated/sluiceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/generated/sluiceConfig.cmake"
              "${CMAKE_BINARY_DIR}/generated/sluiceConfigVersion.cmake"
        DESTINATION "${SLUICE_PACKAGE_DIR}" COMPONENT development)
