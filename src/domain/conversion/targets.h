// The formats that scans are written in: a line here, one in format_table.cpp, and a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "domain/conversion/target.h"

namespace sluice::conversion {

/// `part` is the temporary name, `path` the final one.
struct Places {
    std::string path, part;
};

/// An error where the format cannot hold the values, or has no such codec.
using MakeTarget = Result<std::unique_ptr<Target>>(Wish const& wish, Places const& places);
MakeTarget zarr_target, zspy_target, nxmx_target, emd_target, hspy_target, npy_target, mib_target,
    raw_target;

/// A format by its word, and how names end that mean it.
struct FormatRow {
    stem4d::ScanFormat format;
    std::string_view name;
    std::vector<std::string_view> endings;
    MakeTarget* make;
};
/// Of `automatic`: by the ending of the path.
Result<FormatRow> format_row(stem4d::ScanFormat format, std::string const& path);

}  // namespace sluice::conversion
