// Diffraction patterns, electron by electron: a direct disk, Bragg disks, diffuse and high angles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/synthetic/detector.h"

namespace sluice {

/// Makes the frames of one acquisition; threads may share it.
class Simulator {
  public:
    /// The options must have passed synthetic::validate().
    explicit Simulator(SyntheticOptions const& options);

    SyntheticOptions const& options() const { return options_; }
    /// The counts of a frame, [row][col], as an ideal detector would see them.
    void counts(index frame, std::span<std::uint32_t> out) const;
    /// The same as the detector writes them: saturated, bad pixels marked, little-endian.
    void values(index frame, std::span<std::uint32_t> scratch, std::span<std::byte> out) const;
    /// [row][col], NXdetector bits; empty without masked pixels.
    std::vector<std::uint32_t> const& pixel_mask() const { return bad_.mask; }

  private:
    struct Spot {
        float y, x;  // of a disk's centre, from the detector's corner
    };
    // As many entries for a disk as it has shares of the electrons: one look-up draws a disk.
    static constexpr std::size_t spot_entries = 1024;
    using Spots = std::array<Spot, spot_entries>;

    Spots make_spots(double angle) const;

    SyntheticOptions options_;
    BadPixels bad_;
    std::array<Spots, 2> spots_;  // of each grain
};

/// One frame's counts, [row][col]; make a Simulator for more than a few.
void simulate_frame(SyntheticOptions const& options, index frame, std::span<std::uint32_t> counts);

}  // namespace sluice
