// Compiles detector masks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/compiled.h"

#include <algorithm>
#include <cstring>

#include "domain/stem4d/pixel_runs.h"

namespace sluice::stem4d {

using planes::block_edge;
using planes::Grid;

namespace {

// Where a block hangs over the detector's edge, or a pixel is bad, a mask may have any bit, because
// the counts there are zeros.
std::vector<std::uint64_t> free_bits(Grid grid, std::span<std::uint8_t const> bad) {
    std::vector<std::uint64_t> bits(static_cast<std::size_t>(grid.blocks()));
    auto const is_free = [&](index r, index c) {
        bits[static_cast<std::size_t>(grid.block_of(r, c))] |= 1ULL << Grid::bit_of(r, c);
    };
    index const rows = grid.block_rows() * block_edge, cols = grid.block_cols() * block_edge;
    for (index r = 0; r < rows; ++r)
        for (index c = r < grid.rows ? grid.cols : 0; c < cols; ++c) is_free(r, c);
    // Few pixels are bad, and memchr finds them fast among the others, if they are 1.
    for (std::size_t at = 0; at < bad.size();) {
        void const* const found = std::memchr(bad.data() + at, 1, bad.size() - at);
        if (!found) break;
        at = static_cast<std::size_t>(static_cast<std::uint8_t const*>(found) - bad.data());
        is_free(static_cast<index>(at) / grid.cols, static_cast<index>(at) % grid.cols);
        ++at;
    }
    return bits;
}

// Sets the bits of a run, as many at a time as a block has columns.
void mark(dense::Run const& run, Grid grid, std::vector<std::uint64_t>& bits) {
    index const end = run.col + run.count;
    for (index c = run.col; c < end;) {
        index const next = std::min(end, (c / block_edge + 1) * block_edge);
        bits[static_cast<std::size_t>(grid.block_of(run.row, c))] |= ((1ULL << (next - c)) - 1)
                                                                     << Grid::bit_of(run.row, c);
        c = next;
    }
}

// Cuts a run at bad pixels, which are few.
void add_good(dense::Run run, Grid grid, std::span<std::uint8_t const> bad,
              std::vector<dense::Run>& runs) {
    if (bad.empty()) {
        runs.push_back(run);
        return;
    }
    std::uint8_t const* const row = bad.data() + run.row * grid.cols;
    std::uint32_t const end = run.col + run.count;
    for (std::uint32_t c = run.col; c < end;) {
        auto const* const found =
            static_cast<std::uint8_t const*>(std::memchr(row + c, 1, end - c));
        std::uint32_t const stop = found ? static_cast<std::uint32_t>(found - row) : end;
        if (stop > c) runs.push_back({run.row, c, stop - c});
        c = stop + 1;
    }
}

void add_words(std::vector<std::uint64_t> bits, Grid grid, std::span<std::uint8_t const> bad,
               Compiled& out) {
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
}

}  // namespace

Compiled compile(Array<float> const& weights, std::span<std::uint8_t const> bad) {
    Grid const grid{weights.shape[0], weights.shape[1]};
    Compiled out;
    // Bad pixels are left out: a frame with finite values in bad pixels only was not measured.
    for (dense::Run const& run : pixel_runs(weights.values, grid))
        add_good(run, grid, bad, out.runs);
    out.weighted = std::ranges::any_of(out.runs, [&](dense::Run const& run) {
        float const* const row = weights.values.data() + run.row * grid.cols + run.col;
        int others = 0;  // counted without an early end, several at a time
        for (index i = 0; i < run.count; ++i) others += row[i] != 1;
        return others > 0;
    });
    std::vector<std::uint64_t> bits(static_cast<std::size_t>(grid.blocks()));
    if (out.weighted) {
        out.block_weights.resize(static_cast<std::size_t>(grid.blocks() * 64));
        out.pixel_weights = weights.values;
        for (std::size_t i = 0; i < bad.size(); ++i)
            if (bad[i]) out.pixel_weights[i] = 0;
    }
    for (dense::Run const& run : out.runs) {
        mark(run, grid, bits);
        out.valid += run.count;
        if (!out.weighted) continue;
        for (index r = run.row, c = run.col; c < run.col + run.count; ++c)
            out.block_weights[static_cast<std::size_t>(grid.block_of(r, c) * 64 +
                                                       Grid::bit_of(r, c))] =
                weights.values[static_cast<std::size_t>(r * grid.cols + c)];
    }
    add_words(std::move(bits), grid, bad, out);
    return out;
}

Compiled compile(std::span<dense::Run const> runs, Grid grid, std::span<std::uint8_t const> bad) {
    Compiled out;
    std::vector<std::uint64_t> bits(static_cast<std::size_t>(grid.blocks()));
    for (dense::Run const& run : runs) add_good(run, grid, bad, out.runs);
    for (dense::Run const& run : out.runs) {
        mark(run, grid, bits);
        out.valid += run.count;
    }
    add_words(std::move(bits), grid, bad, out);
    return out;
}

Compiled compile_all(Grid grid, std::span<std::uint8_t const> bad) {
    std::vector<dense::Run> rows;
    for (index r = 0; r < grid.rows; ++r)
        rows.push_back({static_cast<std::uint32_t>(r), 0, static_cast<std::uint32_t>(grid.cols)});
    return compile(rows, grid, bad);
}

std::vector<std::uint8_t> blocks_needed(std::span<Compiled const> detectors, Grid grid) {
    std::vector<std::uint8_t> need(static_cast<std::size_t>(grid.blocks()));
    for (Compiled const& d : detectors)
        for (planes::MaskWord const& w : d.words) need[w.block] = 1;
    return need;
}

}  // namespace sluice::stem4d
