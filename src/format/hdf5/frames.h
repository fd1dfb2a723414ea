// The frames of one dataset, plain or virtual, as parts of a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/parts.h"

namespace sluice::hdf5 {

/// What opening collects on the way.
struct Opening {
    std::shared_ptr<Pools> pools = std::make_shared<Pools>();
    bool allow_incomplete = false;
    std::vector<std::string> notes = {};
    std::vector<std::string> files = {};  ///< data files, in the order of their frames
};

struct FrameParts {
    std::vector<PlacedPart> parts;
    index present = 0;  ///< frames up to the last one that a file holds
};

/// The selected frames of a dataset, as frames 0 and on. The sources of a virtual dataset are
/// opened themselves; missing ones are one error that names them all.
Result<FrameParts> frames_of(StoredDataset const& dataset, Selection selection, Opening& opening);

/// Where a file that another one names is: as named, or under its own name in `folder`. Empty if
/// it is nowhere.
std::string find_beside(std::string const& folder, std::string const& name);
std::string folder_of(std::string const& path);

/// "a.h5, b.h5 and 3 more", for messages.
std::string listed(std::vector<std::string> const& names, std::size_t most = 20);

}  // namespace sluice::hdf5
