// The shape of the background, from what is between the disks of many patterns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/detect/sample.h"

namespace sluice::crystal {

/// What is left of patterns without their disks.
class BetweenDisks {
  public:
    /// Values are times `scale`, and `shift` is added.
    explicit BetweenDisks(std::array<index, 2> shape, double scale = 1, double shift = 0)
        : shape_(shape),
          scale_(scale),
          shift_(shift),
          counts_(static_cast<std::size_t>(shape[0] * shape[1])),
          frames_(counts_.size()) {}

    /// Adds the pixels of a pattern that are farther than `clear` from all of its disks, and than
    /// twice that from values above `saturation`, which are of disks that nobody finds.
    void add(float const* pattern, std::span<FoundDisk const> disks, double clear,
             std::span<std::uint8_t const> bad, double saturation);

    /// A pattern without its disks, bad pixels aside.
    void add_rest(std::span<float const> rest, std::span<std::uint8_t const> bad);
    /// The window that smooth() needs: this one, or a wider one where it would hold few counts.
    double sigma_for(double sigma) const;
    /// The mean counts of a pixel.
    double level() const;
    /// Smoothed by local linear regression in Gaussian windows: counts per pixel and pattern, above
    /// 0 everywhere. Empty where too little is left to say anything.
    Array<double> smooth(double sigma) const;
    /// The part of pixels that were seen in some pattern.
    double seen() const;

  private:
    std::array<index, 2> shape_;
    double scale_, shift_;
    std::vector<double> counts_, frames_;
};

}  // namespace sluice::crystal
