// The text beside the stacks of Direct Electron's cameras, which tells the scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/scan_shape.h"

namespace sluice::mrc {

struct InfoFile {
    std::string path = {};  ///< empty: there is none
    std::optional<ScanGrid> scan = {};
    std::vector<MetaField> fields = {};
};
/// "a_info.txt" of "a_movie.mrc".
Result<InfoFile> find_info(std::string const& path);
/// Lines of "Scan - Size X = 256".
InfoFile parse_info(std::string_view text);

}  // namespace sluice::mrc
