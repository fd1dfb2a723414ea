// ValueBlocks: the frames of a scan as plain values, for analyses that look at nothing else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "fold/items.h"
#include "scan/frame_copier.h"

namespace sluice::fold {

/// Consecutive frames: [frame][row][col] of scan.dtype().
struct ValueBlock {
    Range frames = {};
    std::byte const* data = nullptr;
};

/// Items are frames; a read gives as many as suit the second-level cache, as one block. A view: the
/// scan must outlive it.
class ValueBlocks {
  public:
    using Item = ValueBlock;

    class Reader {
      public:
        Result<Batch<ValueBlock>> read(Range frames);

      private:
        friend ValueBlocks;
        explicit Reader(Scan const& scan);

        FrameCopier copier_;
        index frame_bytes_, most_;
        std::vector<std::byte> values_ = {};
        std::vector<FramePlace> places_ = {};
        ValueBlock block_ = {};
    };

    explicit ValueBlocks(Scan const& scan, store::Tally* tally = nullptr)
        : scan_(scan), tally_(tally) {}

    index groups() const;
    /// Frames; whole units, the last ones excepted.
    Range group(index number) const;
    Reader reader(int) const { return Reader(scan_); }
    void retire(Reader const& reader) const {
        if (tally_) tally_->merge(reader.copier_.tally());
    }

  private:
    Scan const& scan_;
    store::Tally* tally_;
};

}  // namespace sluice::fold
