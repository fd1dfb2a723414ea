// Groups by a shuffle that is the same on every machine.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/groups.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/splitmix.h"

namespace sluice::ptycho {

namespace {

std::vector<index> shuffled(index patterns, std::uint64_t seed, index round) {
    std::vector<index> order(static_cast<std::size_t>(patterns));
    std::iota(order.begin(), order.end(), index{0});
    std::uint64_t counter = splitmix::mix(seed) + splitmix::mix(static_cast<std::uint64_t>(round));
    for (std::size_t left = order.size(); left > 1; --left) {
        counter += splitmix::golden;
        // Among 2^64 numbers some remainders occur once more, which is negligible.
        std::swap(order[left - 1], order[splitmix::mix(counter) % left]);
    }
    return order;
}

// Patterns that have a group, by squares of the canvas as wide as the reach.
class Neighbours {
  public:
    Neighbours(std::vector<stem4d::Position> const& positions, double reach)
        : positions_(positions), reach_(std::max(reach, 1.0)) {}

    void add(index j) { squares_[square_of(j)].push_back(j); }

    template <class Visit>
    void each(index j, Visit const& visit) const {
        auto const [row, col] = square_of(j);
        for (index r = row - 1; r <= row + 1; ++r)
            for (index c = col - 1; c <= col + 1; ++c)
                if (auto const found = squares_.find({r, c}); found != squares_.end())
                    for (index other : found->second)
                        if (near(at(j), at(other))) visit(other);
    }

  private:
    stem4d::Position const& at(index j) const { return positions_[static_cast<std::size_t>(j)]; }
    std::array<index, 2> square_of(index j) const {
        return {static_cast<index>(std::floor(at(j).row / reach_)),
                static_cast<index>(std::floor(at(j).col / reach_))};
    }
    bool near(stem4d::Position a, stem4d::Position b) const {
        return std::abs(a.row - b.row) < reach_ && std::abs(a.col - b.col) < reach_;
    }

    std::vector<stem4d::Position> const& positions_;
    double reach_;
    std::map<std::array<index, 2>, std::vector<index>> squares_ = {};
};

}  // namespace

std::vector<std::vector<index>> random_groups(index patterns, index size, std::uint64_t seed,
                                              index round) {
    std::vector<index> const order = shuffled(patterns, seed, round);
    index const groups = (patterns + size - 1) / size;
    std::vector<std::vector<index>> found(static_cast<std::size_t>(groups));
    for (index g = 0; g < groups; ++g) {
        auto const begin = order.begin() + g * patterns / groups;
        auto const end = order.begin() + (g + 1) * patterns / groups;
        found[static_cast<std::size_t>(g)].assign(begin, end);
    }
    return found;
}

std::vector<std::vector<index>> coloured_groups(std::vector<stem4d::Position> const& positions,
                                                double reach, index size, std::uint64_t seed,
                                                index round) {
    std::vector<std::vector<index>> groups;
    std::vector<std::size_t> colour(positions.size());
    std::vector<index> taken;  // [colour], the last pattern that had a neighbour of it
    Neighbours coloured(positions, reach);
    for (index j : shuffled(std::ssize(positions), seed, round)) {
        coloured.each(j, [&](index other) { taken[colour[static_cast<std::size_t>(other)]] = j; });
        std::size_t mine = 0;
        while (mine < groups.size() && (taken[mine] == j || std::ssize(groups[mine]) >= size))
            ++mine;
        if (mine == groups.size()) {
            groups.emplace_back();
            taken.push_back(-1);
        }
        groups[mine].push_back(j);
        colour[static_cast<std::size_t>(j)] = mine;
        coloured.add(j);
    }
    return groups;
}

}  // namespace sluice::ptycho
