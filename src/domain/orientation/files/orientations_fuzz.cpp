// Fuzz target: any bytes as an orientation map in HDF5.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sluice/orientation_file.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    int const file = ::memfd_create("orientations", 0);
    expects(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size));
    auto const map = stem4d::load_orientations(fmt::format("/proc/self/fd/{}", file));
    ::close(file);
    if (!map) {
        expects(!map.error().message.empty());
        return 0;
    }
    expects(stem4d::check_orientations(*map).has_value());
    return 0;
}
