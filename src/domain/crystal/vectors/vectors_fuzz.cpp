// Fuzz target: any bytes as a file of Bragg vectors, EMD or NPY.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sluice/bragg_vectors.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    int const file = ::memfd_create("vectors", 0);
    expects(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size));
    std::string const path = fmt::format("/proc/self/fd/{}", file);
    auto const vectors = stem4d::load_vectors(path);
    auto const info = stem4d::inspect_vectors(path);
    ::close(file);
    if (!vectors) {
        expects(!vectors.error().message.empty());
        return 0;
    }
    expects(stem4d::check_vectors(*vectors).has_value());
    expects(info.has_value() && info->disks == vectors->size());
    // Maps of detectors that a file can only claim would take all memory.
    if (vectors->detector_shape[0] < 256 && vectors->detector_shape[1] < 256)
        expects(stem4d::vector_map(*vectors, 1, false).has_value());
    return 0;
}
