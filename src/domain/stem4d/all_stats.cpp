// Sum, squares and maximum of each pixel over chosen frames.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/all_stats.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "kernel/dense/cpu.h"
#include "kernel/planes/cpu.h"

namespace sluice::stem4d {
namespace {

void combine(dense::PixelStats& a, dense::PixelStats const& b) {
    a.sum += b.sum;
    a.squares += b.squares;
    a.max = std::max(a.max, b.max);
    a.lacks += b.lacks;
}

}  // namespace

void AllStats::add(Partial& p, std::span<store::Unit const> units) const {
    for (store::Unit const& u : units) u.is_tile ? add_tile(p, u) : add_values(p, u);
}

void AllStats::add_tile(Partial& p, store::Unit const& u) const {
    std::vector<planes::PixelStats> stats(static_cast<std::size_t>(grid.blocks() * 64));
    std::uint16_t const mask = masks[static_cast<std::size_t>(u.first_frame / planes::tile_frames)];
    if (mask == 0) return;
    planes::kernels_for(device).pattern_stats(u.tile, mask, 0, grid.blocks(), stats.data());
    for (index r = 0; r < grid.rows; ++r)
        for (index c = 0; c < grid.cols; ++c) {
            auto const& s = stats[static_cast<std::size_t>(grid.block_of(r, c) * 64 +
                                                           planes::Grid::bit_of(r, c))];
            combine(p[static_cast<std::size_t>(r * grid.cols + c)],
                    {static_cast<double>(s.sum), s.squares, static_cast<double>(s.max), 0});
        }
}

void AllStats::add_values(Partial& p, store::Unit const& u) const {
    std::uint8_t const* const chosen = take.data() + u.first_frame;
    if (std::accumulate(chosen, chosen + u.frames, 0) == 0) return;
    // Pieces of the detector whose statistics stay in the cache until they are added.
    constexpr index piece = 1024;
    std::array<dense::PixelStats, piece> stats;
    auto const kernel = dense::kernels_for(device).pattern_stats;
    for (index first = 0; first < std::ssize(p); first += piece) {
        index const n = std::min(piece, std::ssize(p) - first);
        kernel({u.values, chosen, stats.data(), first}, first, first + n);
        for (index i = 0; i < n; ++i)
            combine(p[static_cast<std::size_t>(first + i)], stats[static_cast<std::size_t>(i)]);
    }
}

void AllStats::merge(Partial& a, Partial const& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) combine(a[i], b[i]);
}

void AllStats::pack(Partial const& p, fold::Packer& out) const {
    for (dense::PixelStats const& s : p) {
        double const all[] = {s.sum, s.squares, s.max, s.lacks};
        out.numbers(std::span<double const>(all));
    }
}

sluice::Result<AllStats::Partial> AllStats::unpack(fold::Unpacker& in, fold::Range) const {
    index const pixels = grid.rows * grid.cols;
    SLUICE_TRY(auto const numbers, in.numbers<double>(static_cast<std::uint64_t>(4 * pixels)));
    Partial p(static_cast<std::size_t>(pixels));
    for (std::size_t i = 0; i < p.size(); ++i)
        p[i] = {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2], numbers[4 * i + 3]};
    return p;
}

}  // namespace sluice::stem4d
