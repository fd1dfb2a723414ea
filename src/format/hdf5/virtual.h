// The mappings of a virtual dataset, as runs of frames.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/frames.h"

namespace sluice::hdf5 {

/// Frames first .. first + selection.count - 1 of the scan are those of another dataset.
struct VirtualRun {
    std::string file, path;
    index first = 0;
    Selection selection = {};
};

/// The runs behind a selection of a virtual dataset, ascending; nothing if its mappings are not
/// whole frames in order (libhdf5 must read it then). Missing source files are an error.
Result<std::optional<std::vector<VirtualRun>>> virtual_runs(StoredDataset const& dataset,
                                                            Selection wanted, Opening& opening);

}  // namespace sluice::hdf5
