// Which files an acquisition of Merlin's has: scan.mib, or scan000001.mib and those after it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sluice/result.h"

namespace sluice::mib {

struct Sequence {
    std::string hdr = {};                 ///< empty: there is none
    std::vector<std::string> files = {};  ///< by their numbers
};

/// Those that the file belongs to, by their names. Numbered files beside each other are one
/// acquisition unless they have an HDR each. Errors: an HDR without files.
Result<Sequence> sequence_of(std::string const& path);

/// By its ending: .mib or .hdr.
bool is_name(std::string_view name);
/// Whether another file of its acquisition stands for it in lists.
bool is_later_file(std::string const& path);

}  // namespace sluice::mib
