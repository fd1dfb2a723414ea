// RemoteScan: a resident scan's copy on a device out of the host's reach.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "domain/stem4d/compiled.h"
#include "kernel/dense/kernels.h"
#include "kernel/planes/kernels.h"
#include "store/on_device.h"

namespace sluice::stem4d {

class RemoteScan {
  public:
    /// Empty where the host reaches the device's memory. Copies the scan if it is not there yet.
    static Result<std::optional<RemoteScan>> on(Scan const& scan, Device const& device);

    /// [detector][frame], with weights or without, less what their dark subtracts.
    Result<std::vector<double>> sums(std::span<Compiled const> detectors, index frames);
    /// out[frame]
    Status virtual_sums(Compiled const& detector, std::span<double> out);
    /// out[frame]
    Status weighted_sums(Compiled const& detector, std::span<double> out);
    /// out[frame][{sum, row, col}]
    Status moments(Compiled const& mask, std::span<double> out);
    /// out[pixel]; `take` has a byte per frame.
    Status pattern(std::span<std::uint8_t const> take, std::span<dense::PixelStats> out);

  private:
    RemoteScan(Queue queue, std::shared_ptr<store::OnDevice const> copy)
        : queue_(std::move(queue)), copy_(std::move(copy)) {}

    Queue queue_;
    std::shared_ptr<store::OnDevice const> copy_;
};

/// A bit per frame of each tile.
std::vector<std::uint16_t> frame_masks(std::span<std::uint8_t const> take, index tiles);

}  // namespace sluice::stem4d
