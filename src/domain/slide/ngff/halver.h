// Levels that a device makes: a band goes there once, and each coarser one comes back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/place.h"
#include "domain/slide/ngff/pixels.h"

namespace sluice::slide::ome {

/// Bands of one pass, whose levels are numbered from 0. By one thread at a time.
class Halver {
  public:
    /// `most` are the bytes of the largest band of each level.
    static Result<Halver> on(Device const& device, DType dtype, std::vector<index> const& most);

    /// Appends the means of a level's band to the `rows` rows that the next level's band has, at
    /// `to` on the host.
    Status halve(int level, PixelRows const& from, index rows, std::byte* to);
    /// The level begins another band.
    void begin_band(int level) { levels_[static_cast<std::size_t>(level)].rows = 0; }

  private:
    struct Level {
        Place<std::byte> band;
        index rows = 0;  ///< that are there; unknown: the host has others
    };
    static constexpr index unknown = -1;

    Halver(Queue queue, DType dtype) : queue_(std::move(queue)), dtype_(dtype) {}

    Queue queue_;
    DType dtype_;
    std::vector<Level> levels_;
};

}  // namespace sluice::slide::ome
