// Diffraction patterns over a scan.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <numeric>

#include "domain/stem4d/remote_scan.h"
#include "kernel/dense/cpu.h"
#include "kernel/planes/cpu.h"
#include "launch/map.h"
#include "stream/describe.h"
#include "stream/fold.h"

namespace sluice::stem4d {
namespace {

using planes::tile_frames;
using store::Unit;

// Sums alone, of planes: never expanded to counts.
struct SumPlanes {
    using Partial = std::vector<std::uint64_t>;  // [block * 64 + bit]
    using Result = Partial;
    std::span<std::uint16_t const> masks;
    Isa isa;
    planes::Grid grid;

    Partial begin() const { return Partial(static_cast<std::size_t>(grid.blocks() * 64)); }
    void add(Partial& p, std::span<Unit const> units) const {
        std::vector<planes::Tile> tiles;
        std::vector<std::uint16_t> of_tile;
        for (Unit const& u : units) {
            tiles.push_back(u.tile);
            of_tile.push_back(masks[static_cast<std::size_t>(u.first_frame / tile_frames)]);
        }
        planes::cpu_kernels(isa).pattern_sum(tiles, of_tile.data(), 0, grid.blocks(), p.data());
    }
    void merge(Partial& a, Partial const& b) const {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    }
    Result finish(Partial const& p) const { return p; }
};

// Sums, squares and maxima, of planes or of values.
struct AllStats {
    using Partial = std::vector<dense::PixelStats>;  // [row][col]
    using Result = Partial;
    std::span<std::uint16_t const> masks;
    std::span<std::uint8_t const> take;
    Device device;
    planes::Grid grid;

    Partial begin() const {
        return Partial(static_cast<std::size_t>(grid.rows * grid.cols), {0, 0, -1e308});
    }
    void add(Partial& p, std::span<Unit const> units) const {
        for (Unit const& u : units) u.is_tile ? add_tile(p, u) : add_values(p, u);
    }
    void add_tile(Partial& p, Unit const& u) const {
        std::vector<planes::PixelStats> stats(static_cast<std::size_t>(grid.blocks() * 64));
        std::uint16_t const mask = masks[static_cast<std::size_t>(u.first_frame / tile_frames)];
        if (mask == 0) return;
        if (device.kind() == Device::Kind::reference) {
            std::uint64_t const offset = 0;
            planes::TileSet const set{u.tile.base, &offset, 1, u.frames, grid};
            launch::map(std::ssize(stats), planes::PatternStats{set, &mask, stats.data()});
        } else {
            planes::cpu_kernels(device.isa())
                .pattern_stats(u.tile, mask, 0, grid.blocks(), stats.data());
        }
        for (index r = 0; r < grid.rows; ++r)
            for (index c = 0; c < grid.cols; ++c) {
                auto const& s = stats[static_cast<std::size_t>(grid.block_of(r, c) * 64 +
                                                               planes::Grid::bit_of(r, c))];
                combine(p[static_cast<std::size_t>(r * grid.cols + c)],
                        {static_cast<double>(s.sum), s.squares, static_cast<double>(s.max)});
            }
    }
    void add_values(Partial& p, Unit const& u) const {
        std::uint8_t const* const chosen = take.data() + u.first_frame;
        if (std::accumulate(chosen, chosen + u.frames, 0) == 0) return;
        Partial stats(p.size());
        dense::PatternStats const kernel{u.values, chosen, stats.data()};
        if (device.kind() == Device::Kind::reference)
            launch::map(std::ssize(stats), kernel);
        else
            dense::cpu_kernels(device.isa()).pattern_stats(kernel, 0, std::ssize(stats));
        for (std::size_t i = 0; i < p.size(); ++i) combine(p[i], stats[i]);
    }
    static void combine(dense::PixelStats& a, dense::PixelStats const& b) {
        a.sum += b.sum;
        a.squares += b.squares;
        a.max = std::max(a.max, b.max);
    }
    void merge(Partial& a, Partial const& b) const {
        for (std::size_t i = 0; i < a.size(); ++i) combine(a[i], b[i]);
    }
    Result finish(Partial const& p) const { return p; }
};

double value_of(dense::PixelStats const& s, Pattern kind, double n) {
    switch (kind) {
        case Pattern::sum:
            return s.sum;
        case Pattern::mean:
            return s.sum / n;
        case Pattern::max:
            return s.max;
        case Pattern::variance:
            return std::max(0.0, s.squares / n - s.sum / n * (s.sum / n));
    }
    return 0;
}

}  // namespace

Result<Pattern> parse_pattern(std::string const& name) {
    if (name == "sum") return Pattern::sum;
    if (name == "mean") return Pattern::mean;
    if (name == "max") return Pattern::max;
    if (name == "variance") return Pattern::variance;
    return Error{Code::invalid_argument,
                 "no pattern '" + name + "'; there are sum, mean, max and variance"};
}

Result<DiffractionPattern> diffraction_pattern(Scan const& scan, Pattern kind,
                                               std::span<std::uint8_t const> take,
                                               Options const& options) {
    store::Plan const& plan = scan.plan();
    planes::Grid const grid = plan.grid();
    std::vector<std::uint8_t> chosen(static_cast<std::size_t>(plan.frames()), 1);
    if (!take.empty()) {
        if (take.size() != chosen.size())
            return Error{Code::invalid_argument,
                         fmt::format("a choice of {} scan points (the scan has {}x{})", take.size(),
                                     plan.scan[0], plan.scan[1])};
        for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = take[i] != 0;
    }
    DiffractionPattern out;
    out.frames = std::accumulate(chosen.begin(), chosen.end(), index{0});
    if (out.frames == 0)
        return Error{Code::invalid_argument, "no scan point chosen; choose at least one"};
    out.values = Array<double>::zeros({grid.rows, grid.cols});
    std::vector<std::uint16_t> const masks = frame_masks(chosen, plan.tiles());
    store::Tally tally;
    stream::FoldOptions fold_options{
        .device = options.device, .progress = options.progress, .tally = &tally};
    for (std::uint16_t m : masks) fold_options.skip.push_back(m == 0);
    bool const sums = kind == Pattern::sum || kind == Pattern::mean;
    std::vector<dense::PixelStats> stats(static_cast<std::size_t>(grid.rows * grid.cols));
    if (options.device.remote()) {
        SLUICE_TRY(RemoteScan remote, RemoteScan::on(scan, options.device));
        SLUICE_CHECK(remote.pattern(chosen, stats));
    } else if (sums && scan.chosen_layout() == Layout::planes &&
               options.device.kind() == Device::Kind::cpu) {
        fold_options.batch = 15;  // as many as pattern_sum() takes
        SLUICE_TRY(auto const sum,
                   stream::fold(scan, SumPlanes{masks, options.device.isa(), grid}, fold_options));
        for (index r = 0; r < grid.rows; ++r)
            for (index c = 0; c < grid.cols; ++c)
                stats[static_cast<std::size_t>(r * grid.cols + c)].sum =
                    static_cast<double>(sum[static_cast<std::size_t>(grid.block_of(r, c) * 64 +
                                                                     planes::Grid::bit_of(r, c))]);
    } else {
        SLUICE_TRY(stats,
                   stream::fold(scan, AllStats{masks, chosen, options.device, grid}, fold_options));
    }
    for (std::size_t i = 0; i < stats.size(); ++i)
        out.values.values[i] = value_of(stats[i], kind, static_cast<double>(out.frames));
    out.notes = scan.notes();
    stream::describe(tally, scan.dataset(), out.notes);
    return out;
}

}  // namespace sluice::stem4d
