// RemoteScan: a resident scan's copy on a device out of the host's reach.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/mirror.h"
#include "domain/stem4d/compiled.h"
#include "kernel/dense/kernels.h"
#include "kernel/planes/kernels.h"

namespace sluice::stem4d {

class RemoteScan {
  public:
    /// Fails for a streamed scan: its frames are nowhere to copy from.
    static Result<RemoteScan> upload(Scan const& scan, Device const& device);

    /// out[detector][frame]
    Status virtual_sums(std::span<Compiled const> detectors, std::span<double> out);
    /// out[frame]
    Status weighted_sums(Compiled const& detector, std::span<double> out);
    /// out[frame][{sum, row, col}]
    Status moments(Compiled const& mask, std::span<double> out);
    /// out[pixel]; `take` has a byte per frame.
    Status pattern(std::span<std::uint8_t const> take, std::span<dense::PixelStats> out);

  private:
    explicit RemoteScan(Queue queue) : queue_(std::move(queue)) {}
    bool is_planes() const { return tiles_.base != nullptr; }

    Queue queue_;
    Mirror mirror_ = {};
    planes::TileSet tiles_ = {};
    dense::Frames values_ = {};
};

/// A bit per frame of each tile.
std::vector<std::uint16_t> frame_masks(std::span<std::uint8_t const> take, index tiles);

}  // namespace sluice::stem4d
