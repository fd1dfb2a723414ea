// Makes sums over squares of scan points, and adds them up.
// SPDX-License-Identifier: Apache-2.0
#include "scan/pattern_sums.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "device/workers.h"
#include "kernel/planes/cpu.h"

namespace sluice {

using planes::tile_frames;

namespace {

// How many of two rows of 0 and 1 are 1 in both: eight at a time, whose sum is the highest byte of
// a product.
index both(std::uint8_t const* a, std::uint8_t const* b, index count) {
    index n = 0, i = 0;
    for (; i + 8 <= count; i += 8) {
        std::uint64_t x, y;
        std::memcpy(&x, a + i, 8);
        std::memcpy(&y, b + i, 8);
        n += static_cast<index>((x & y) * 0x0101010101010101ULL >> 56);
    }
    for (; i < count; ++i) n += a[i] & b[i];
    return n;
}

}  // namespace

index PatternSums::squares(std::size_t level) const {
    index const edge = edges[level];
    return ((scan_[0] + edge - 1) / edge) * ((scan_[1] + edge - 1) / edge);
}

template <class F>
void PatternSums::for_each_row(std::size_t level, index square, F const& f) const {
    index const edge = edges[level], across = (scan_[1] + edge - 1) / edge;
    index const row = square / across * edge, col = square % across * edge;
    index const end = std::min(row + edge, scan_[0]), cols = std::min(edge, scan_[1] - col);
    for (index r = row; r < end; ++r) f(r * scan_[1] + col, cols);
}

index PatternSums::measured(std::size_t level, index square,
                            std::span<std::uint8_t const> of) const {
    index n = 0;
    for_each_row(level, square, [&](index first, index frames) {
        n += both(of.data() + first, measured_.data() + first, frames);
    });
    return n;
}

void PatternSums::clear(std::size_t level, index square, std::vector<std::uint8_t>& of) const {
    for_each_row(level, square, [&](index first, index frames) {
        std::fill_n(of.begin() + first, frames, std::uint8_t{0});
    });
}

// Tiles follow the scan's rows, so that a square has parts of some of them.
void PatternSums::make_square(store::UnitReader& frames, index square, Device const& device,
                              std::vector<std::uint64_t>& sums) const {
    constexpr std::size_t most = 15;  // as many tiles as pattern_sum() takes
    std::vector<index> tiles;
    std::vector<std::uint16_t> masks;
    for_each_row(edges.size() - 1, square, [&](index first, index count) {
        for (index f = first; f < first + count; ++f) {
            if (!measured_[static_cast<std::size_t>(f)]) continue;
            if (tiles.empty() || tiles.back() != f / tile_frames) {
                tiles.push_back(f / tile_frames);
                masks.push_back(0);
            }
            masks.back() |= static_cast<std::uint16_t>(1U << (f % tile_frames));
        }
    });
    planes::Tile some[most];
    for (std::size_t at = 0, n = 0; at < tiles.size(); at += n) {
        index const first = tiles[at],
                    ready = frames.hold(first, first + store::UnitReader::together);
        for (n = 0; n < most && at + n < tiles.size(); ++n) {
            if (frames.turns() && tiles[at + n] >= ready) break;
            some[n] = frames.unit(tiles[at + n]).tile;
        }
        planes::kernels_for(device).pattern_sum({some, n}, masks.data() + at, 0, numbers_ / 64,
                                                sums.data());
    }
}

std::vector<store::Narrow> PatternSums::packed(std::span<std::uint64_t const> sums) const {
    std::vector<store::Narrow> rows;
    auto const n = static_cast<std::size_t>(row_numbers_);
    for (std::size_t at = 0; at < sums.size(); at += n) {
        auto const row = sums.subspan(at, n);
        rows.emplace_back(n, *std::ranges::max_element(row));
        rows.back().put(0, row);
    }
    return rows;
}

void PatternSums::put(Square square, std::vector<store::Narrow> rows) {
    sums_[static_cast<std::size_t>(square[0])][static_cast<std::size_t>(square[1])] =
        std::move(rows);
}

PatternSums PatternSums::empty(store::Plan const& plan) {
    PatternSums made;
    made.scan_ = plan.scan;
    made.row_numbers_ = plan.grid().block_cols() * 64;
    made.numbers_ = plan.grid().blocks() * 64;
    made.measured_.assign(static_cast<std::size_t>(plan.frames()), 1);
    for (std::size_t f = 0; f < plan.lost.size(); ++f) made.measured_[f] = plan.lost[f] == 0;
    for (std::size_t level = 0; level < edges.size(); ++level)
        for (index s = 0; s < made.squares(level); ++s) {
            made.sums_[level].emplace_back();
            made.all_[level].push_back(made.measured(level, s, made.measured_));
        }
    return made;
}

PatternSums PatternSums::make(store::Resident const& frames, store::Plan const& plan,
                              Device const& device) {
    PatternSums made = empty(plan);
    auto const numbers = static_cast<std::size_t>(made.numbers_);
    index const ratio = edges[0] / edges[1];
    index const across = (plan.scan[1] + edges[1] - 1) / edges[1];
    index const down = (plan.scan[0] + edges[1] - 1) / edges[1];
    index const large_across = (plan.scan[1] + edges[0] - 1) / edges[0];
    parallel_for(made.squares(0), device.threads(), 1, [&](index large, int) {
        std::vector<std::uint64_t> all(numbers), few;
        store::UnitReader units(frames, device.isa());
        index const row = large / large_across * ratio, col = large % large_across * ratio;
        for (index r = row; r < std::min(row + ratio, down); ++r)
            for (index c = col; c < std::min(col + ratio, across); ++c) {
                few.assign(numbers, 0);
                made.make_square(units, r * across + c, device, few);
                made.sums_[1][static_cast<std::size_t>(r * across + c)] = made.packed(few);
                for (std::size_t i = 0; i < numbers; ++i) all[i] += few[i];
            }
        made.sums_[0][static_cast<std::size_t>(large)] = made.packed(all);
    });
    return made;
}

std::uint64_t PatternSums::bytes() const {
    std::uint64_t all = measured_.size();
    for (auto const& level : sums_)
        for (auto const& square : level)
            for (store::Narrow const& row : square) all += row.bytes();
    return all;
}

// Each worker adds up a part of the detector.
std::vector<std::uint64_t> PatternSums::sums(std::span<Square const> squares,
                                             Device const& device) const {
    std::vector<std::uint64_t> sums(static_cast<std::size_t>(numbers_));
    tables::CpuKernels const& kernels = tables::cpu_kernels(device.isa());
    parallel_for(numbers_ / row_numbers_, device.threads(), 1, [&](index row, int) {
        auto const to = std::span(sums).subspan(static_cast<std::size_t>(row * row_numbers_),
                                                static_cast<std::size_t>(row_numbers_));
        for (Square const& s : squares) {
            store::Narrow const& one =
                sums_[static_cast<std::size_t>(s[0])][static_cast<std::size_t>(s[1])]
                     [static_cast<std::size_t>(row)];
            kernels.add(one.numbers(), to.data(), to.size());
        }
    });
    return sums;
}

PatternSums::Split PatternSums::split(std::span<std::uint8_t const> chosen) const {
    Split rest;
    rest.add.assign(chosen.begin(), chosen.end());
    std::ranges::transform(rest.add, measured_, rest.add.begin(), std::bit_and<std::uint8_t>{});
    rest.take_away.resize(chosen.size());
    index left = both(rest.add.data(), measured_.data(), std::ssize(rest.add));
    for (std::size_t level = 0; level < edges.size(); ++level)
        for (index s = 0; s < squares(level) && left > 0; ++s) {
            index const wanted = measured(level, s, rest.add);
            if (wanted == 0) continue;
            index const all = all_[level][static_cast<std::size_t>(s)];
            bool const finest = level + 1 == edges.size();
            if (wanted < all && !(finest && 2 * wanted > all)) continue;
            rest.squares.push_back({static_cast<index>(level), s});
            if (wanted < all)
                for_each_row(level, s, [&](index first, index frames) {
                    for (index f = first; f < first + frames; ++f) {
                        auto const at = static_cast<std::size_t>(f);
                        rest.take_away[at] =
                            measured_[at] & static_cast<std::uint8_t>(!rest.add[at]);
                    }
                });
            clear(level, s, rest.add);
            left -= wanted;
        }
    return rest;
}

}  // namespace sluice
