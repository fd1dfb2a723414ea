// The lists of pixels that electrons hit, and which point of the scan each belongs to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/frame_source.h"
#include "format/hdf5/object/object.h"
#include "format/scan_shape.h"

namespace sluice::stempy {

/// Where a list lies: an object of the file's global heap.
struct List {
    std::uint64_t collection = 0, number = 0;
    std::uint64_t hits = 0;  ///< 0: nothing is stored
};

struct Events {
    index rows = 0, cols = 0;
    ScanGrid scan = {};
    std::vector<List> lists = {};           ///< sorted by their points
    std::vector<std::uint64_t> first = {};  ///< of each point, and the end behind the last
    int hit_bytes = 4;                      ///< 4 or 8
    index most_together = 0;                ///< lists of one point, at most
    std::vector<FrameRun> empty = {};       ///< points without any list
};

Result<Events> read_events(hdf5::object::Object const& root);

/// The hits of all lists of a point are one frame.
std::shared_ptr<FrameSource const> frames_of(hdf5::object::Object const& root, Events events);

}  // namespace sluice::stempy
