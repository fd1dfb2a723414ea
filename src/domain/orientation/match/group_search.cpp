// The coarse search, and the fine one in the cells that it chose.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/group_search.h"

#include <algorithm>
#include <numeric>

namespace sluice::orient {
namespace {

// Cells that a pattern is searched in: as good as all of them in 997 of 1000 patterns (measured).
constexpr index cells_of_pattern = 16;

}  // namespace

GroupSearch::GroupSearch(stem4d::OrientationLibrary::State const& library,
                         MatchKernels const& kernels, bool exhaustive)
    : library_(library),
      kernels_(kernels),
      exhaustive_(exhaustive || std::ssize(library.cells) <= 2 * cells_of_pattern),
      floats_(library.polar.spectrum_floats()),
      zero_(static_cast<std::size_t>(floats_)),
      sums_(static_cast<std::size_t>(library.polar.rings() * 2 * most_frequencies)),
      wanted_(library.cells.size()),
      lanes_(floats_ * lanes_of_patterns),
      room_(search_room_floats) {}

void GroupSearch::operator()(std::span<PatternDisks const> patterns, std::span<Candidates> found) {
    expects(found.size() == patterns.size());
    for (Candidates& c : found) c.clear();
    make_spectra(patterns);
    for (auto& cell : wanted_) cell.clear();
    if (exhaustive_) {
        for (auto& cell : wanted_) cell = all_;
    } else {
        coarse(std::ssize(patterns));
        choose_cells(std::ssize(patterns));
    }
    for (index cell = 0; cell < std::ssize(wanted_); ++cell) fine(cell, found);
}

void GroupSearch::make_spectra(std::span<PatternDisks const> patterns) {
    auto const& o = library_.options;
    spectra_.resize(patterns.size() * static_cast<std::size_t>(floats_));
    all_.clear();
    for (std::size_t p = 0; p < patterns.size(); ++p) {
        PatternDisks const& d = patterns[p];
        weight_.resize(d.x.size());
        for (std::size_t j = 0; j < d.x.size(); ++j)
            weight_[j] = static_cast<float>(weight_of(o, d.x[j], d.y[j], d.intensity[j]));
        float const length = kernels_.spectrum(
            library_.polar.view(), {d.x.data(), d.y.data(), weight_.data(), d.size()}, sums_.data(),
            spectra_.data() + p * static_cast<std::size_t>(floats_));
        if (length > 0) all_.push_back(static_cast<index>(p));
    }
}

void GroupSearch::load_lanes(std::span<index const> patterns) {
    std::array<float const*, lanes_of_patterns> at;
    at.fill(zero_.data());
    for (std::size_t i = 0; i < patterns.size(); ++i) at[i] = spectrum(patterns[i]);
    kernels_.interleave(at.data(), floats_, lanes_.data());
}

void GroupSearch::search(float const* tile) {
    kernels_.search({library_.polar.view(), tile, lanes_.data(), room_.data(), best_.data()});
}

void GroupSearch::coarse(index patterns) {
    index const cells = std::ssize(library_.cells);
    scores_.resize(static_cast<std::size_t>(patterns * cells));
    for (std::size_t from = 0; from < all_.size(); from += lanes_of_patterns) {
        auto const some = std::span(all_).subspan(
            from, std::min<std::size_t>(lanes_of_patterns, all_.size() - from));
        load_lanes(some);
        for (index cell = 0; cell < cells; ++cell) {
            index const z = cell % zones_of_tile;
            if (z == 0)
                search(library_.coarse.data() + cell / zones_of_tile * library_.tile_floats());
            ZoneBest const& b = best_[static_cast<std::size_t>(z)];
            for (std::size_t i = 0; i < some.size(); ++i) {
                float most = b.value[0][0][i];
                for (auto const& sector : b.value)
                    for (auto const& side : sector) most = std::max(most, side[i]);
                scores_[static_cast<std::size_t>(some[i] * cells + cell)] = most;
            }
        }
    }
}

void GroupSearch::choose_cells(index patterns) {
    expects(patterns >= std::ssize(all_));
    index const cells = std::ssize(library_.cells);
    order_.resize(static_cast<std::size_t>(cells));
    for (index const p : all_) {
        float const* scores = scores_.data() + p * cells;
        std::iota(order_.begin(), order_.end(), index{0});
        auto const last = order_.begin() + cells_of_pattern;
        std::ranges::nth_element(order_, last, [&](index a, index b) {
            return scores[a] > scores[b] || (scores[a] == scores[b] && a < b);
        });
        for (auto it = order_.begin(); it != last; ++it)
            wanted_[static_cast<std::size_t>(*it)].push_back(p);
    }
}

void GroupSearch::fine(index cell, std::span<Candidates> found) {
    Cell const& c = library_.cells[static_cast<std::size_t>(cell)];
    auto const& patterns = wanted_[static_cast<std::size_t>(cell)];
    for (std::size_t from = 0; from < patterns.size(); from += lanes_of_patterns) {
        auto const some = std::span(patterns).subspan(
            from, std::min<std::size_t>(lanes_of_patterns, patterns.size() - from));
        load_lanes(some);
        // Of each part of a turn the best of the cell: [sector][side][pattern].
        std::array<std::array<Candidate, lanes_of_patterns>, 2 * sectors> best{};
        for (index zone = 0; zone < c.zones; ++zone) {
            index const z = zone % zones_of_tile;
            if (z == 0)
                search(library_.fine.data() +
                       (c.first_tile + zone / zones_of_tile) * library_.tile_floats());
            ZoneBest const& b = best_[static_cast<std::size_t>(z)];
            for (std::size_t slot = 0; slot < best.size(); ++slot)
                for (std::size_t i = 0; i < some.size(); ++i) {
                    float const value = b.value[slot / 2][slot % 2][i];
                    if (value > best[slot][i].score)
                        best[slot][i] = {
                            value, static_cast<std::int32_t>(c.first_zone + zone),
                            static_cast<std::int16_t>(b.azimuth[slot / 2][slot % 2][i]),
                            slot % 2 == 1};
                }
        }
        for (auto const& slot : best)
            for (std::size_t i = 0; i < some.size(); ++i)
                if (slot[i].zone >= 0) found[static_cast<std::size_t>(some[i])].offer(slot[i]);
    }
}

}  // namespace sluice::orient
