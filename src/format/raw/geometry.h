// How the frames of a raw binary file lie in it: nothing in the file says so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/raw/flat_source.h"

namespace sluice::raw {

struct Geometry {
    FlatLayout layout;
    index rows = 0, cols = 0;
    std::uint64_t left_over = 0;  ///< bytes at the end that fill no frame
};

/// Divides a file of `file_bytes` into the frames that the options describe. Bytes may be left over
/// where the caller allows that.
Result<Geometry> find_geometry(std::uint64_t file_bytes, RawOptions const& options,
                               bool allow_incomplete);

}  // namespace sluice::raw
