# The toolchain of `./dev test --arch arm64`: Debian's cross compiler, the libraries that
# tools/arm64.py unpacked into SLUICE_SYSROOT, and qemu to run what was built.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(SLUICE_SYSROOT "$ENV{SLUICE_SYSROOT}" CACHE PATH "Debian's arm64 libraries, unpacked")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SLUICE_SYSROOT)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# GCC 12 says falsely of a vector's memory that it is not the beginning of a heap block.
set(CMAKE_CXX_FLAGS_INIT -Wno-free-nonheap-object)
set(CMAKE_SYSROOT "${SLUICE_SYSROOT}")
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L "${SLUICE_SYSROOT}")

# Programs of this machine, everything else of the other.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${SLUICE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR}
    "${SLUICE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${SLUICE_SYSROOT}/usr/share/pkgconfig")
# h5cc, which FindHDF5 would ask, is a script of this machine.
set(HDF5_C_COMPILER_EXECUTABLE "HDF5_C_COMPILER_EXECUTABLE-NOTFOUND")
set(HDF5_ROOT "${SLUICE_SYSROOT}/usr/lib/aarch64-linux-gnu/hdf5/serial")
