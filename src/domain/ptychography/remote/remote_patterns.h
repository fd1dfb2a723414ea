// Patterns on a device: their counts, bad pixels and places, which go there once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/place.h"
#include "domain/ptychography/counts.h"
#include "domain/ptychography/remote/places.h"
#include "domain/ptychography/start/start.h"

namespace sluice::ptycho::remote {

/// Of the windows' first pixels on a canvas.
std::vector<Corner> corners_of(std::vector<Position> const& positions, bool sub_pixel);

class RemotePatterns {
  public:
    /// The queue and `measured` live as long as this; waits for the copies.
    static Result<RemotePatterns> upload(Queue& queue, Measured const& measured,
                                         stem4d::PtychographyOptions const& options);
    /// Windows are elsewhere from here on.
    Status place(std::vector<Position> const& positions, bool sub_pixel);
    /// What all takes there.
    static index bytes_of(stem4d::Patterns const& patterns);

    Queue& queue() const { return *queue_; }
    Measured const& measured() const { return *measured_; }
    std::vector<Corner> const& corners() const { return corners_; }
    Corner const* corners_there() const { return corners_there_.data(); }
    std::uint8_t const* bad() const { return bad_.data(); }  ///< null: none
    /// work(first count there), with a pointer to the type of the counts.
    template <class Work>
    Status with_counts(Work const& work) const {
        return std::visit(
            [&](auto const& counts) {
                using T = typename std::decay_t<decltype(counts)>::value_type;
                return work(reinterpret_cast<T const*>(counts_.data()));
            },
            measured_->patterns.counts);
    }

  private:
    RemotePatterns(Queue& queue, Measured const& measured) : queue_(&queue), measured_(&measured) {}

    Queue* queue_;
    Measured const* measured_;
    std::vector<Corner> corners_;
    Place<std::byte> counts_;
    Place<std::uint8_t> bad_;
    Place<Corner> corners_there_;
};

}  // namespace sluice::ptycho::remote
