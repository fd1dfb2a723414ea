// What the description of a TIFF file says of its pages, in the words of several programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/scan_shape.h"

namespace sluice::tiff {

struct About {
    index frames = 0;     ///< that the description counts; 0: it does not
    bool follow = false;  ///< they follow the first one, and have no pages of their own
    std::optional<ScanGrid> scan = {};
    std::string scan_from = {};
    std::vector<MetaField> fields = {};
};

/// ImageJ's lines, the JSON of tifffile, or nothing. `rows` and `cols` are a page's.
About read_description(std::string_view text, index rows, index cols);

}  // namespace sluice::tiff
