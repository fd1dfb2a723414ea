// The arrays in a Zarr folder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/result.h"
#include "zarr/layout.h"

namespace sluice::zarr_scan {

struct FoundArray {
    std::string name;  ///< the path below the folder; empty: the folder itself
    zarr::Layout layout;

    bool frames() const { return layout.shape.size() == 3 || layout.shape.size() == 4; }
};

struct FoundArrays {
    std::vector<FoundArray> arrays;
    bool slide = false;  ///< the folder says that it is an OME-Zarr
    std::vector<Error> unreadable;
};
/// Looks through a folder, as deep as programs put arrays.
FoundArrays find_arrays(std::string const& folder);

/// "data (5x7x9x11), ..."
std::string arrays_text(std::vector<FoundArray> const& arrays, bool frames);

}  // namespace sluice::zarr_scan
