// Fuzz target: any bytes as a DICOM file, by DCMTK within this process.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/dicom/dcmtk/files.h"
#include "format/dicom/packed.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    // A file, since DCMTK checks lengths against its size, and leaves long values in it.
    static int const file = ::memfd_create("fuzz", 0);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size))
        return 0;
    std::string const path = fmt::format("/proc/self/fd/{}", file);
    auto const d = dicom::read_by_dcmtk(path);
    if (d) expects(dicom::unpack(dicom::pack(*d)).has_value());
    constexpr std::uint64_t some_pixels = 8;
    (void)dicom::pixels_by_dcmtk(path, some_pixels);
    return 0;
}
