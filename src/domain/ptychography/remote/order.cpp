// Counts the windows of each tile, and then fills its list.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/remote/order.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sluice/result.h"

namespace sluice::ptycho::remote {

namespace {

index tiles_along(index length) {
    return (length + Tile::side - 1) / Tile::side;
}

class Touched {
  public:
    Touched(std::vector<Corner> const& corners, index n, index rows, index cols)
        : corners_(corners),
          n_(n),
          across_(tiles_along(cols)),
          counts_(static_cast<std::size_t>(tiles_of(rows, cols))) {}

    void add(std::vector<index> const& group, Order& order) {
        std::vector<std::size_t> tiles;
        for (index j : group)
            each(j, [&](std::size_t t) {
                if (counts_[t]++ == 0) tiles.push_back(t);
            });
        std::sort(tiles.begin(), tiles.end());
        auto next = std::ssize(order.windows);
        for (std::size_t t : tiles) {
            auto const y = static_cast<index>(t) / across_, x = static_cast<index>(t) % across_;
            order.tiles.push_back({static_cast<std::int32_t>(y), static_cast<std::int32_t>(x),
                                   static_cast<std::int32_t>(next),
                                   static_cast<std::int32_t>(counts_[t])});
            // From here on: where its next window goes.
            next += std::exchange(counts_[t], next);
        }
        order.windows.resize(static_cast<std::size_t>(next));
        for (std::size_t s = 0; s < group.size(); ++s)
            each(group[s], [&](std::size_t t) {
                order.windows[static_cast<std::size_t>(counts_[t]++)] =
                    static_cast<std::int32_t>(s);
            });
        for (std::size_t t : tiles) counts_[t] = 0;
    }

  private:
    template <class Work>
    void each(index j, Work const& work) const {
        Corner const& corner = corners_[static_cast<std::size_t>(j)];
        for (index y = corner.row / Tile::side; y <= (corner.row + n_ - 1) / Tile::side; ++y)
            for (index x = corner.col / Tile::side; x <= (corner.col + n_ - 1) / Tile::side; ++x)
                work(static_cast<std::size_t>(y * across_ + x));
    }

    std::vector<Corner> const& corners_;
    index n_, across_;
    std::vector<index> counts_;
};

}  // namespace

index most_touched(index n) {
    index const along = (n + Tile::side - 2) / Tile::side + 1;
    return along * along;
}

index tiles_of(index rows, index cols) {
    return tiles_along(rows) * tiles_along(cols);
}

Order order_of(std::vector<std::vector<index>> const& groups, std::vector<Corner> const& corners,
               index n, index rows, index cols) {
    // The lists' numbers have 32 bits, and so many patterns fit into no memory.
    expects(std::ssize(corners) * most_touched(n) < std::numeric_limits<std::int32_t>::max());
    Order order;
    Touched touched(corners, n, rows, cols);
    for (auto const& group : groups) {
        Group here{.first = std::ssize(order.patterns),
                   .count = std::ssize(group),
                   .tile = std::ssize(order.tiles)};
        order.begins.push_back(static_cast<std::int32_t>(here.first));
        for (index j : group) order.patterns.push_back(static_cast<std::int32_t>(j));
        touched.add(group, order);
        here.tiles = std::ssize(order.tiles) - here.tile;
        order.groups.push_back(here);
    }
    order.begins.push_back(static_cast<std::int32_t>(order.patterns.size()));
    return order;
}

}  // namespace sluice::ptycho::remote
