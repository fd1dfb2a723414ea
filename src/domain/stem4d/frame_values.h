// FrameValues: numbers of consecutive frames, the partial result of what looks at each frame alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fold/items.h"
#include "fold/packer.h"
#include "kernel/planes/tile.h"

namespace sluice::stem4d {

/// Owns [row][frame][number]; a row is a detector, say, and a number one of its moments.
class FrameValues {
  public:
    /// Zeros.
    FrameValues(fold::Range frames, index rows, index width);

    /// The numbers of one of its frames.
    double* at(index row, index frame) {
        return values_.data() + (row * frames_.count() + frame - frames_.first) * width_;
    }
    /// Copies what a part says of its frames, which are some of these.
    void place(FrameValues const& part);

    void pack(fold::Packer& out) const { out.numbers(std::span<double const>(values_)); }
    static Result<FrameValues> unpack(fold::Unpacker& in, fold::Range frames, index rows,
                                      index width);

    fold::Range frames() const { return frames_; }
    std::vector<double> const& values() const { return values_; }
    std::vector<double> take() && { return std::move(values_); }

  private:
    FrameValues(fold::Range frames, index rows, index width, std::vector<double> values)
        : frames_(frames), rows_(rows), width_(width), values_(std::move(values)) {}

    fold::Range frames_;
    index rows_, width_;
    std::vector<double> values_;
};

/// The frames of units; `frames` are all there are.
inline fold::Range frames_of(fold::Range units, index frames) {
    return {std::min(units.first * planes::tile_frames, frames),
            std::min(units.last * planes::tile_frames, frames)};
}

}  // namespace sluice::stem4d
