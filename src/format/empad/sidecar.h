// The XML file that an EMPAD writes beside its frames.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "format/scan_shape.h"

namespace sluice::empad {

/// A shape that the XML states, and what the XML calls it.
struct StatedScan {
    ScanGrid grid{};
    std::string from;
};

struct Sidecar {
    std::string raw_file = {};           ///< the name alone, without its folder
    std::vector<StatedScan> scans = {};  ///< the likeliest first
    double energy_kv = 0;
    std::vector<MetaField> fields = {};
};

Result<Sidecar> parse_sidecar(std::string_view xml);
/// Whether the beginning of an XML file is that of an EMPAD.
bool is_sidecar(Bytes head);
/// "scan_x256_y128.raw" tells its scan; nothing for other names.
std::optional<ScanGrid> scan_of_name(std::string_view name);

}  // namespace sluice::empad
