// TableSink: takes the sums of groups of frames as they come, and writes them in their final order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>

#include "base/scratch_file.h"
#include "domain/stem4d/table_units.h"
#include "scan/pattern_sums.h"
#include "scan/tables_file.h"

namespace sluice::stem4d {

/// Rings and finished patterns wait in a scratch file, so that little is in memory at any time: the
/// moments, and the sums of the rows of squares that are being filled. Sums are whole numbers: the
/// order in which they come does not matter.
class TableSink {
  public:
    TableSink(store::Plan const& plan, PatternSums const& squares, index rings, bool patterns,
              ScratchFile scratch);

    /// Any thread, any order.
    Status take(TableUnits::Partial const& partial);
    /// Once all have come. Sets the stretches of `head`, but for that of the map of rings.
    Status write(TablesWriter& to, TablesHead& head) const;

    std::span<planes::Moment const> moments() const { return moments_; }

  private:
    struct Piece {  // of the scratch file
        std::uint64_t at = 0;
        std::size_t count = 0, width = 0;  // numbers of a ring, and their bytes
    };
    Result<Piece> put(Bytes bytes);
    Status take_rings(index first, TableUnits::Run const& run);
    Status take_frames(index first, index count);
    Status finish_row(index row);
    Status finish_square(std::size_t level, index square, std::vector<std::uint64_t> const& sums);
    Status write_rings(TablesWriter& to, TablesHead& head) const;
    Result<std::vector<std::uint64_t>> ring(index k) const;

    store::Plan const& plan_;
    PatternSums const& squares_;
    index rings_;
    bool patterns_;
    std::mutex mutex_ = {};
    ScratchFile scratch_;
    std::vector<planes::Moment> moments_;                    // [frame]
    std::map<index, Piece> ring_pieces_ = {};                // by the first frame
    std::map<index, std::vector<std::uint64_t>> open_ = {};  // small squares
    std::map<index, std::vector<std::uint64_t>> open_large_ = {};
    std::vector<index> left_;        // [row of small squares] frames that have not come
    std::vector<index> left_large_;  // [row of large squares] rows of small ones
    std::array<std::map<index, Stretch>, 2> done_ = {};  // of the scratch file
};

}  // namespace sluice::stem4d
