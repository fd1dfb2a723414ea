// RemoteScan: a resident scan's copy on a device out of the host's reach.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "device/remote.h"
#include "domain/stem4d/compiled.h"
#include "kernel/dense/remote.h"
#include "kernel/planes/remote.h"
#include "store/resident.h"

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
    RemoteScan(RemoteDevice& device, store::Resident const& store)
        : device_(device), store_(store) {}

    RemoteDevice& device_;
    store::Resident const& store_;
    std::optional<Buffer<std::byte>> bytes_ = {};
    std::optional<Buffer<std::uint64_t>> offsets_ = {};
    planes::TileSet tiles_ = {};
    dense::Frames values_ = {};
};

/// A bit per frame of each tile.
std::vector<std::uint16_t> frame_masks(std::span<std::uint8_t const> take, index tiles);

}  // namespace sluice::stem4d
