// OpenUnits: what came of units that wait for the rest of their frames.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <mutex>

#include "format/feed.h"
#include "store/filling.h"

namespace sluice {

/// Frames that wait for others of their sixteen for a moment are shown without them, so that a slow
/// scan is seen point by point. They stay in the feed: the unit is made when it is whole. Threads
/// may share it. Dataset, plan, options and filling must outlive it.
class OpenUnits {
  public:
    OpenUnits(Dataset const& dataset, store::Plan const& plan, LoadOptions const& options,
              store::Filling& filling);
    ~OpenUnits();

    /// [frame of the unit], 1: it came.
    using Came = std::array<std::uint8_t, planes::tile_frames>;

    /// Frames of units that are not made; look() has them from now on, as long as there is room.
    index count();
    /// The tiles of these units, and which of their frames came. What a look has had, the next one
    /// has, too.
    struct Look {
        std::vector<store::LentTile> tiles;
        std::vector<Came> came;  ///< [tile]
    };
    Look look();

  private:
    class Held;
    struct Open {
        std::array<WaitingFrame, planes::tile_frames> frames = {};
        Came came = {};
        index count = 0;
        std::shared_ptr<std::byte const> tile = {};
        Came shown = {};  ///< by the tile
        index in_tile = 0;
    };

    void take();
    bool pack(index unit, Open& open);

    Dataset dataset_;  // whose source is held_
    store::Plan const& plan_;
    store::Filling& filling_;
    std::shared_ptr<Feed> feed_;
    std::shared_ptr<Held> held_;
    std::mutex mutex_;  // of what follows
    std::map<index, Open> open_;
    store::UnitMaker maker_;
};

}  // namespace sluice
