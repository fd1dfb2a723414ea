// A file of sums beside a scan, from which answers come without a look at its frames.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stem4d.h"

namespace sluice::stem4d {

struct TablesOptions {
    /// Of the rings, in pixels of the full, unbinned detector; empty: that of the bright-field
    /// disk.
    std::optional<Point> center = {};
    std::string out = {};              ///< the file; empty: beside the scan, as NAME.sluice-tables
    std::string out_option = "--out";  ///< what messages call the option that gives it
    Device device = Device::cpu();
    Progress progress = {};
    Trace* trace = nullptr;  ///< made for at least the device's threads
};

struct TablesMade {
    std::string file;
    std::uint64_t bytes = 0;
    std::optional<Point> center = {};  ///< empty: there are no rings
    bool patterns = true;              ///< else they would have taken too much memory
    std::vector<std::string> notes = {};
};

/// Reads the scan once and writes moments of every frame, sums over rings about a centre at every
/// whole radius, and patterns over 64x64 and 16x16 scan points. Scans that are loaded alike and
/// streamed take answers from the file, bit by bit those of their frames, as long as nothing has
/// changed. Fails for scans without files, and for values that are not whole numbers.
Result<TablesMade> tables(Scan const& scan, TablesOptions const& options = {});

}  // namespace sluice::stem4d
