// Simulator: sends a dataset as a detector sends a series, by the clock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>

#include "net/scan_path.h"
#include "sluice/dataset.h"

namespace sluice::net {

class Wire;
class SimulatedDetectorState;

struct SimulatorOptions {
    double rate = 1000;   ///< images a second
    index buffer = 1000;  ///< images that wait in the detector; others are lost
    index repeat = 1;     ///< series, one after the other
    Order order = Order::raster;
    index flyback = 0;                  ///< images after each row, which repeat its last one
    double drop = 0;                    ///< probabilities that an image is never sent,
    double duplicate = 0;               ///< is sent twice,
    double reorder = 0;                 ///< comes after the next one,
    double corrupt = 0;                 ///< is damaged
    std::optional<index> stop_at = {};  ///< nothing more is sent from this image on, and no end
    std::uint64_t seed = 1;
    double wait_s = 60;  ///< for a receiver
    /// Messages are made before the clock starts if they fit into so many bytes.
    std::uint64_t memory = std::uint64_t{2} << 30;
    /// Series begin when it is armed, images when it is triggered, and it says how many and how
    /// fast; none: as the options say, at once. It outlives the simulation.
    SimulatedDetectorState* control = nullptr;
};

struct SimulatorReport {
    index series = 0, images = 0, sent = 0;
    index no_room = 0;  ///< images that were lost because the buffer was full
    index dropped = 0, duplicated = 0, reordered = 0, corrupted = 0;  ///< as asked
    index late = 0;      ///< images that were sent over a millisecond after their time
    double seconds = 0;  ///< from the first image to the last
    std::uint64_t bytes = 0;
    bool prepared = true;  ///< all messages were made before
    index as_stored = 0;   ///< images whose bytes are those of the file
};

/// Hears how many images of how many were sent; its no ends the series.
using Sent = std::function<bool(index done, index all)>;

/// Sends the series. Errors: no receiver, a message that cannot be made.
Result<SimulatorReport> simulate(Dataset const& dataset, Wire& wire,
                                 SimulatorOptions const& options, Sent const& sent = {});

}  // namespace sluice::net
