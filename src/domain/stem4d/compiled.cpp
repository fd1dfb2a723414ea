// Compiles detector masks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/compiled.h"

#include <algorithm>

namespace sluice::stem4d {

using planes::block_edge;
using planes::Grid;

namespace {

// Where a block hangs over the detector's edge, or a pixel is bad, a mask may have any bit, because
// the counts there are zeros.
std::vector<std::uint64_t> free_bits(Grid grid, std::span<std::uint8_t const> bad) {
    std::vector<std::uint64_t> bits(static_cast<std::size_t>(grid.blocks()), ~0ULL);
    for (index r = 0; r < grid.rows; ++r)
        for (index c = 0; c < grid.cols; ++c)
            if (bad.empty() || !bad[static_cast<std::size_t>(r * grid.cols + c)])
                bits[static_cast<std::size_t>(grid.block_of(r, c))] &=
                    ~(1ULL << Grid::bit_of(r, c));
    return bits;
}

void add_runs(Array<float> const& weights, Grid grid, std::vector<dense::Run>& runs) {
    for (index r = 0; r < grid.rows; ++r) {
        float const* const row = weights.values.data() + r * grid.cols;
        for (index c = 0; c < grid.cols;) {
            if (row[c] == 0) {
                ++c;
                continue;
            }
            index end = c;
            while (end < grid.cols && row[end] != 0) ++end;
            runs.push_back({static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c),
                            static_cast<std::uint32_t>(end - c)});
            c = end;
        }
    }
}

}  // namespace

bool needs_disk(Detector const& d) {
    bool const centred = d.shape == Detector::Shape::point || d.shape == Detector::Shape::disk ||
                         d.shape == Detector::Shape::annulus || d.shape == Detector::Shape::square;
    return d.unit == Detector::Unit::disk_radii || (centred && !d.center);
}

Compiled compile(Array<float> const& weights, std::span<std::uint8_t const> bad) {
    Grid const grid{weights.shape[0], weights.shape[1]};
    Compiled out;
    out.weighted = std::ranges::any_of(weights.values, [](float w) { return w != 0 && w != 1; });
    std::vector<std::uint64_t> bits(static_cast<std::size_t>(grid.blocks()));
    if (out.weighted) {
        out.block_weights.resize(static_cast<std::size_t>(grid.blocks() * 64));
        out.pixel_weights = weights.values;
    }
    for (index r = 0; r < grid.rows; ++r)
        for (index c = 0; c < grid.cols; ++c) {
            auto const pixel = static_cast<std::size_t>(r * grid.cols + c);
            float const w = weights.values[pixel];
            if (w == 0) continue;
            index const block = grid.block_of(r, c);
            bits[static_cast<std::size_t>(block)] |= 1ULL << Grid::bit_of(r, c);
            if (out.weighted)
                out.block_weights[static_cast<std::size_t>(block * 64 + Grid::bit_of(r, c))] = w;
            if (bad.empty() || !bad[pixel]) out.valid += static_cast<double>(w);
        }
    std::vector<std::uint64_t> const free = free_bits(grid, bad);
    out.is_whole.resize(bits.size());
    for (std::size_t b = 0; b < bits.size(); ++b) {
        if (bits[b] == 0) continue;
        if (~(bits[b] | free[b]) == 0) bits[b] = ~0ULL;
        auto const block = static_cast<std::uint32_t>(b);
        out.words.push_back({bits[b], block});
        if (~bits[b] != 0) {
            out.partial.push_back(out.words.back());
            continue;
        }
        out.is_whole[b] = 1;
        if (!out.whole.empty() && out.whole.back().first + out.whole.back().count == block)
            ++out.whole.back().count;
        else
            out.whole.push_back({block, 1});
    }
    add_runs(weights, grid, out.runs);
    return out;
}

Compiled compile_all(Grid grid) {
    Array<float> all = Array<float>::zeros({grid.rows, grid.cols});
    std::ranges::fill(all.values, 1.0F);
    return compile(all, {});
}

std::vector<std::uint8_t> blocks_needed(std::span<Compiled const> detectors, Grid grid) {
    std::vector<std::uint8_t> need(static_cast<std::size_t>(grid.blocks()));
    for (Compiled const& d : detectors)
        for (planes::MaskWord const& w : d.words) need[w.block] = 1;
    return need;
}

}  // namespace sluice::stem4d
