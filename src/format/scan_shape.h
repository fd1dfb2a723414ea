// The shape of a scan: who knows it, and what to do when nobody does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sluice/dataset.h"

namespace sluice {

/// (rows, columns).
using ScanGrid = std::array<index, 2>;

/// Rows and columns out of a file's attribute; nothing unless they are two whole numbers.
std::optional<ScanGrid> grid_of(std::vector<double> const& numbers);

/// What the microscope's companion file says.
struct CompanionScan {
    ScanGrid grid{};
    index prescan = 0;  ///< flyback columns, which some installations record as frames too
};

/// Everything that is known before the shape is.
struct ScanQuery {
    index present = 0;   ///< frames up to the last one in the files
    index expected = 0;  ///< frames the acquisition announced; 0: it did not say
    std::optional<ScanGrid> user = {};
    std::optional<CompanionScan> companion = {};
    std::optional<ScanGrid> attribute = {};  ///< of the dataset, or the format's own header
    std::string attribute_from = "scan_shape attribute";  ///< what `attribute` is, in words
    std::vector<FrameRun> holes = {};  ///< frames before that which the files lack
    bool allow_incomplete = false;
    bool fill_is_no_count =
        false;  ///< the files' fill value is NaN, infinite or a mark for no data
};

/// What `ScanQuery::attribute_from` is where the array itself has four dimensions.
constexpr std::string_view shape_of_dataset = "shape of the dataset";

struct ScanShape {
    ScanGrid grid{};
    std::string from;   ///< for Dataset::scan_from: "user", "STEM Metadata", ...
    index frames = 0;   ///< grid[0] * grid[1], the missing ones included
    index missing = 0;  ///< frames of which no file holds all
    std::vector<FrameRun> missing_runs = {};  ///< where they are, ascending
    std::vector<std::string> notes = {};
    std::vector<std::string> warnings = {};  ///< those of the notes for Dataset::warnings
};

/// Frames that lack data: refused unless query.allow_incomplete, and then in ScanShape::notes.
///
/// Decides: the user, then the companion file, then the attribute, then a square, then an error
/// that lists the possible shapes. Fewer frames than the shape (or `expected`) wants is
/// Code::incomplete unless query.allow_incomplete. Of files that are being written
/// (format/while_written.h) all of that is left to who hears the whole series.
Result<ScanShape> resolve_scan_shape(ScanQuery const& query);

/// "3, 7 to 12 and 4 more runs": frames numbered from 0, at most `most` runs of them.
std::string runs_text(std::vector<FrameRun> const& runs, std::size_t most = 6);
/// Appends a run, joining it to the last one if it follows that.
void add_run(std::vector<FrameRun>& runs, FrameRun run);
index frames_in(std::vector<FrameRun> const& runs);

/// "8x8, 4x16, 2x32, 1x64": the shapes of `frames` frames, most square first, at most `most`.
std::string possible_shapes(index frames, int most = 8);

}  // namespace sluice
