// Fuzzes the XML of an EMPAD, and the names of its frames.
// SPDX-License-Identifier: Apache-2.0
#include "format/empad/sidecar.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    if (auto const grid = empad::scan_of_name(text)) expects((*grid)[0] > 0 && (*grid)[1] > 0);
    auto const sidecar = empad::parse_sidecar(text);
    if (!sidecar) return 0;
    for (auto const& scan : sidecar->scans) expects(scan.grid[0] > 0 && scan.grid[1] > 0);
    expects(sidecar->raw_file.find('/') == std::string::npos);
    return 0;
}
