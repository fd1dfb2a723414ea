// A series of scans, one after the other: loaded, handed to an analysis, and given back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "sluice/stem4d.h"
#include "sluice/stem4d_tables.h"

namespace sluice::stem4d {

/// One scan of a series, while it is there.
struct Member {
    Scan const& scan;
    Options const& options;  ///< for analyses of this scan: device, disk, trace and progress
    index number = 0;        ///< from 0
    double load_seconds = 0;
    /// Made before the work. Without a file: the notes say why this scan has none.
    std::optional<TablesMade> tables = {};
};

struct SeriesWork {
    LoadOptions load;  ///< memory 0: what is free at the start, for every member alike
    Options compute;
    /// Scans that `compute.device` cannot take are computed on `load.device` instead.
    bool best_device = false;
    /// Each scan for which no file of tables fits gets one first: out of memory where it was
    /// loaded, else by a pass over its files. `out`, `device`, `progress` and `trace` are those of
    /// the load.
    std::optional<TablesOptions> write_tables = {};
    /// The progress of reading and computing member `number` of `all`; may be empty.
    std::function<Progress(index number, index all)> progress = {};
    /// Told what a scan warns of, each text once in a series; may be empty.
    std::function<void(std::string const& warning)> warn = {};
};

/// Loads the members in turn and calls work(member). The binning that the first one needs to fit
/// into memory holds for all. Stops at the first error.
Status for_each_scan(Series series, SeriesWork const& how,
                     std::function<Status(Member const&)> const& work);

/// The scan point (row, col) of the full scan as a point of what was loaded of it. Errors: outside
/// of the scan, outside of what was read, left out by LoadOptions::scan_step.
Result<std::array<index, 2>> loaded_point(Scan const& scan, index row, index col);

/// Appends the image of a member, [row][col], to those before it: [row][col] of one member,
/// [member][row][col] of several; member 0 comes first. An error where the shapes differ.
Status append_image(Array<double>& onto, std::span<double const> image, std::array<index, 2> shape,
                    index member);
/// The same of a map, with its error and its reasons; the name and the unit are the last one's.
Status append_map(ScanMap& onto, ScanMap const& map, index member);

}  // namespace sluice::stem4d
