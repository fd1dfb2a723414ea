// The frames of one dataset, plain or virtual, as parts of a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/beside.h"
#include "format/hdf5/parts.h"

namespace sluice::hdf5 {

struct FrameParts {
    std::vector<PlacedPart> parts;
    index count = 0;                     ///< frames, the missing ones included
    std::vector<FrameRun> missing = {};  ///< those that lack data, ascending
    std::vector<std::byte> fill = {};    ///< a pixel where no part is; empty: zero

    /// Frames up to the last one that is not missing.
    index present() const;
    /// The missing frames before that.
    std::vector<FrameRun> holes() const;
    /// Whether the fill value is NaN or infinite, or all ones where `sentinel`.
    bool fill_is_no_count(DType type, bool sentinel) const;
};

/// The selected frames of a dataset, as frames 0 and on. The sources of a virtual dataset are
/// opened themselves; missing ones are one error that names them all, or with
/// Opening::allow_incomplete a note.
Result<FrameParts> frames_of(StoredDataset const& dataset, Selection selection, Opening& opening);

/// All frames of a dataset whose axes are in another order.
Result<FrameParts> frames_in_order(StoredDataset const& dataset, boxes::FrameAxes const& axes,
                                   Opening& opening);

using object::find_beside;
using object::folder_of;

/// "a.h5, b.h5 and 3 more", for messages.
std::string listed(std::vector<std::string> const& names, std::size_t most = 20);

}  // namespace sluice::hdf5
