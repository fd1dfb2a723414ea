// RingCounts: counts the pixels of rings in tiles, each ring apart.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/planes/cpu.h"
#include "sluice/device.h"

namespace sluice {

/// The rings' masks, in the groups that are counted together; rings without a pixel are left out.
class RingMasks {
  public:
    /// `rings`: [row][col], each below `count`; `bad` pixels belong to none.
    RingMasks(std::span<std::uint16_t const> rings, std::span<std::uint8_t const> bad,
              planes::Grid grid, std::size_t count);

  private:
    friend class RingCounts;
    std::vector<std::vector<planes::MaskWord>> words_ = {};  // of each ring that has some
    std::vector<std::size_t> ring_ = {};                     // which one it is
    std::vector<planes::MaskGroup> groups_ = {};
};

/// Counts the rings of some tiles, at most `batch`.
class RingCounts {
  public:
    static constexpr index batch = 16;

    RingCounts(RingMasks const& masks, Device const& device, std::size_t count,
               std::size_t tiles = batch)
        : masks_(masks),
          kernels_(planes::kernels_for(device)),
          frames_(tiles * planes::tile_frames),
          sums_(count * frames_) {}

    /// [frame] of ring `k`.
    std::span<std::uint64_t> ring(std::size_t k) {
        return std::span(sums_).subspan(k * frames_, frames_);
    }
    void count(std::span<planes::Tile const> tiles);

  private:
    RingMasks const& masks_;
    planes::CpuKernels const& kernels_;
    std::size_t frames_;
    std::vector<std::uint64_t> sums_;  // [ring][frame]
    std::vector<std::array<std::uint64_t, planes::tile_frames>> out_ = {};
};

}  // namespace sluice
