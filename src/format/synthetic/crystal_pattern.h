// Patterns of synthetic crystals: what is expected in each pixel, and Poisson counts of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/synthetic/crystal.h"
#include "format/synthetic/detector.h"

namespace sluice::synthetic {

/// Makes the frames of one acquisition; threads may share it.
class CrystalSimulator {
  public:
    /// The options must have passed validate().
    explicit CrystalSimulator(CrystalOptions const& options);

    SyntheticOptions const& options() const { return options_.common; }
    /// The mean counts of a frame, [row][col], with nothing in the beam stop.
    std::vector<double> expected(index frame) const;
    void counts(index frame, std::span<std::uint32_t> out) const;
    /// The same as the detector writes them.
    void values(index frame, std::span<std::uint32_t> scratch, std::span<std::byte> out) const;
    /// [row][col], NXdetector bits; the beam stop is masked by the user's bit.
    std::vector<std::uint32_t> const& pixel_mask() const { return bad_.mask; }

  private:
    void add_stop();

    CrystalOptions options_;
    BadPixels bad_;
};

}  // namespace sluice::synthetic
