// The shape of a scan: who knows it, and what to do when nobody does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice {

/// (rows, columns).
using ScanGrid = std::array<index, 2>;

/// What the microscope's companion file says.
struct CompanionScan {
    ScanGrid grid{};
    index prescan = 0;  ///< flyback columns, which some installations record as frames too
};

/// Everything that is known before the shape is.
struct ScanQuery {
    index present = 0;   ///< frames in the files
    index expected = 0;  ///< frames the acquisition announced; 0: it did not say
    std::optional<ScanGrid> user = {};
    std::optional<CompanionScan> companion = {};
    std::optional<ScanGrid> attribute = {};  ///< of the dataset, or the format's own header
    std::string attribute_from = "scan_shape attribute";  ///< what `attribute` is, in words
    bool allow_incomplete = false;
};

struct ScanShape {
    ScanGrid grid{};
    std::string from;   ///< for Dataset::scan_from: "user", "STEM Metadata", ...
    index frames = 0;   ///< grid[0] * grid[1], the missing ones included
    index missing = 0;  ///< frames at the end that no file holds
    std::vector<std::string> notes = {};
};

/// Decides: the user, then the companion file, then the attribute, then a square, then an error
/// that lists the possible shapes. Fewer frames than the shape (or `expected`) wants is
/// Code::incomplete unless query.allow_incomplete.
Result<ScanShape> resolve_scan_shape(ScanQuery const& query);

/// "8x8, 4x16, 2x32, 1x64": the shapes of `frames` frames, most square first, at most `most`.
std::string possible_shapes(index frames, int most = 8);

}  // namespace sluice
