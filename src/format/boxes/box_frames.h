// BoxFrames: the frames of an array of any order of axes and any type of numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "format/boxes/axes.h"
#include "format/boxes/box.h"
#include "format/indexed.h"

namespace sluice::boxes {

/// Frames first, first + stride, ... of an array, `count` of them.
struct Selection {
    index first = 0, stride = 1, count = 0;
};

/// An array and which of its dimensions are what.
struct FrameArray {
    Sides extent;
    FrameAxes axes;
    StoredType stored;
    std::string file;  ///< for messages

    /// What frames past its end read as, one value of read_as(stored); empty: zero.
    std::vector<std::byte> beyond = {};
    index rows() const { return static_cast<index>(extent[axes.row]); }
    index cols() const { return static_cast<index>(extent[axes.col]); }
    index frames() const;
    /// The elements of one frame, numbered with the last axis of the scan running fastest.
    Box frame(index number) const;
};

class BoxFrames final : public FrameSource, public Indexed {
  public:
    /// `missing` are frames of the selection that lack data.
    BoxFrames(FrameArray array, std::shared_ptr<BoxReader const> reader, Selection selection,
              std::vector<FrameRun> missing);
    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override;
    std::uint64_t stored_bytes() const override { return reader_->stored_bytes(); }
    std::uint64_t index_digest() const override;
    std::optional<FrameBlock> block() const override;

    /// As fetch(), into memory of scratch_bytes(); `shown` is the number of `first` for messages.
    Status fill(index first, index shown, std::span<EncodedFrame> out, std::byte* to) const;
    /// Bytes of so many frames and, behind them, of the block that they are cut from.
    std::uint64_t scratch_bytes(index count) const;

  private:
    std::uint64_t frame_bytes() const;

    FrameArray array_;
    std::shared_ptr<BoxReader const> reader_;
    Selection selection_;
    std::vector<FrameRun> missing_;
};

/// The frames of the selection that lack data. Code::unsupported for more than 2^26 frames of which
/// only some do.
Result<std::vector<FrameRun>> missing_frames(FrameArray const& array, BoxReader const& reader,
                                             Selection selection);

/// Whether one of the runs, which ascend, holds the frame.
bool holds(std::vector<FrameRun> const& runs, index frame);

}  // namespace sluice::boxes
