// FlatScan: what the header of a file says of frames at equal steps, and the dataset that they
// make. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "format/raw/flat_source.h"
#include "format/scan_shape.h"

namespace sluice {

/// What the table's formats of this kind have in common.
struct FlatScan {
    std::string_view format;   ///< the name in the table
    index rows = 0, cols = 0;  ///< of the detector
    FlatLayout layout = {};    ///< `present` and `pixels` are found here
    index announced = 0;       ///< frames by the header; 0: it does not say
    std::optional<ScanGrid> scan = {};
    std::string scan_from = {};  ///< who says `scan`
};

/// Sides that a detector may have, and room for a frame in memory: checked before any product.
Status check_frame(index rows, index cols);

/// Errors: fewer whole frames than announced, unless incomplete files are allowed; bytes that fill
/// no frame; a scan shape that does not fit.
Result<Dataset> open_flat(File file, FlatScan scan, OpenOptions const& options);
/// The same of pieces whose frames are counted and lie within their files.
Result<Dataset> open_pieces(std::vector<FlatPiece> pieces, FlatScan const& scan,
                            OpenOptions const& options);
/// The same of frames that another source has, `present` of them.
Result<Dataset> open_frames(std::shared_ptr<FrameSource const> source, index present,
                            std::vector<std::string> files, FlatScan const& scan,
                            OpenOptions const& options);

}  // namespace sluice
