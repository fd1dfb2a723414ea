// Fuzz target: any bytes as a template of disks.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>

#include "sluice/probe_template.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    int const file = ::memfd_create("template", 0);
    expects(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size));
    auto const probe = stem4d::load_template(fmt::format("/proc/self/fd/{}", file));
    ::close(file);
    if (!probe) {
        expects(!probe.error().message.empty());
        return 0;
    }
    for (double const at : {0.0, 0.5, 3.0, 1e4}) expects(std::isfinite(probe->value(at, -at)));
    return 0;
}
