// Counts masks on lines, some units at a time.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/sum_lines.h"

#include <algorithm>
#include <functional>

#include "device/workers.h"
#include "kernel/lines/cpu.h"

namespace sluice::stem4d {
namespace {

using lines::LineMask;
using lines::unit_frames;
using planes::Moment;
using LastSums = LastCounts<std::uint32_t>;
using LastMoments = LastCounts<Moment>;

// Units that a worker takes at a time: the kernel fetches a unit's lines while it counts those of
// the unit before.
constexpr index most_units = 8;

// Units that need more than 32 bits are counted bit by bit, which takes longer than a pass over
// tiles.
bool has_lines(store::Resident const* frames) {
    if (!frames || !frames->is_lines()) return false;
    lines::UnitSet const set = frames->line_units();
    for (index u = 0; u < set.units; ++u)
        if (set.unit(u).wide()) return false;
    return true;
}

/// Some units, and the frames in them that the scan has.
struct Piece {
    std::span<lines::Unit const> units;
    index first_frame, frames;
};

void each_piece(lines::UnitSet set, Options const& options,
                std::function<void(Piece const&)> const& act) {
    int const threads = options.device.threads();
    index const some = std::clamp<index>(set.units / (4 * threads), 1, most_units);
    parallel_for((set.units + some - 1) / some, threads, 1, [&](index number, int worker) {
        Step const step(options.trace, Phase::fold, worker, number);
        index const first = number * some, count = std::min(some, set.units - first);
        lines::Unit units[most_units];
        for (index u = 0; u < count; ++u) units[u] = set.unit(first + u);
        index const frame = first * unit_frames;
        act({{units, static_cast<std::size_t>(count)},
             frame,
             std::min(count * unit_frames, set.frames - frame)});
    });
}

/// A mask that is counted, on top of the sums of another one.
struct CountedMask {
    LineMask mask = {};
    LastSums::Kept before = {};
    std::shared_ptr<LastSums::Counts> kept = {};  ///< where its own sums go
    double offset = 0;
};

// Totals and lines of the whole mask, or those of what a drag added and took away.
CountedMask counted(Compiled const& detector, lines::UnitSet set, LastSums* last) {
    CountedMask c;
    c.mask = lines::line_mask(detector.words, set.grid);
    c.offset = detector.offset;
    if (!last) return c;
    c.before = last->nearest(detector.words, lines::lines_of(c.mask));
    if (c.before) c.mask = lines::difference(detector.words, c.before->words);
    c.kept = std::make_shared<LastSums::Counts>();
    c.kept->words = detector.words;
    c.kept->of_frames.resize(static_cast<std::size_t>(set.frames));
    return c;
}

index pixels_of(std::span<planes::MaskWord const> words) {
    return pixels_between(words, {});
}

// Of small frames what is kept would take more than its share.
template <class Number>
bool may_keep(ScanTables const* tables, lines::UnitSet set) {
    return tables &&
           static_cast<std::uint64_t>(set.frames) * sizeof(Number) <= tables->most_of_last();
}

}  // namespace

std::optional<std::vector<double>> sums_from_lines(store::Resident const* frames,
                                                   ScanTables* tables,
                                                   std::span<Compiled const> detectors,
                                                   Options const& options) {
    auto const weighted = [](Compiled const& d) { return d.weighted; };
    if (std::ranges::any_of(detectors, weighted) || !has_lines(frames)) return {};
    lines::UnitSet const set = frames->line_units();
    bool const drags = detectors.size() <= LastSums::most && may_keep<std::uint32_t>(tables, set);
    std::vector<CountedMask> all;
    for (Compiled const& d : detectors)
        all.push_back(counted(d, set, drags ? &tables->last_sums() : nullptr));
    lines::CpuKernels const& kernels = lines::kernels_for(options.device);
    std::vector<double> sums(all.size() * static_cast<std::size_t>(set.frames));
    each_piece(set, options, [&](Piece const& piece) {
        std::uint64_t found[most_units][unit_frames];
        for (std::size_t m = 0; m < all.size(); ++m) {
            CountedMask const& c = all[m];
            kernels.count(piece.units, c.mask, found);
            std::uint64_t const* const from = found[0];
            double* const to = sums.data() + static_cast<index>(m) * set.frames + piece.first_frame;
            for (index f = 0; f < piece.frames; ++f) {
                auto const at = static_cast<std::size_t>(piece.first_frame + f);
                // No frame of such units has more than 32 bits.
                auto const sum =
                    static_cast<std::uint32_t>(from[f] + (c.before ? c.before->of_frames[at] : 0));
                if (c.kept) c.kept->of_frames[at] = sum;
                to[f] = static_cast<double>(sum) - c.offset;
            }
        }
    });
    for (CountedMask& c : all)
        if (c.kept) tables->last_sums().keep(std::move(c.kept), c.before, tables->most_of_last());
    return sums;
}

std::optional<std::vector<double>> moments_from_lines(store::Resident const* frames,
                                                      ScanTables* tables, Compiled const& mask,
                                                      Options const& options) {
    if (mask.weighted || !has_lines(frames)) return {};
    lines::UnitSet const set = frames->line_units();
    LastMoments* const last = may_keep<Moment>(tables, set) ? &tables->last_moments() : nullptr;
    LastMoments::Kept before;
    if (last) before = last->nearest(mask.words, pixels_of(mask.words));
    LineMask const change = lines::difference(
        mask.words, before ? std::span(before->words) : std::span<planes::MaskWord const>());
    auto made = std::make_shared<LastMoments::Counts>();
    made->words = mask.words;
    if (last) made->of_frames.resize(static_cast<std::size_t>(set.frames));
    lines::CpuKernels const& kernels = lines::kernels_for(options.device);
    std::vector<double> moments(3 * static_cast<std::size_t>(set.frames));
    each_piece(set, options, [&](Piece const& piece) {
        Moment added[most_units][unit_frames], taken[most_units][unit_frames] = {};
        kernels.moments(piece.units, change.plus, added);
        if (!change.minus.empty()) kernels.moments(piece.units, change.minus, taken);
        Moment const *const more = added[0], *const less = taken[0];
        for (index f = 0; f < piece.frames; ++f) {
            auto const at = static_cast<std::size_t>(piece.first_frame + f);
            Moment const plus = more[f], minus = less[f];
            Moment const old = before ? before->of_frames[at] : Moment{0, 0, 0};
            Moment const m{old.sum + plus.sum - minus.sum, old.row + plus.row - minus.row,
                           old.col + plus.col - minus.col};
            if (last) made->of_frames[at] = m;
            moments[3 * at] = static_cast<double>(m.sum);
            moments[3 * at + 1] = static_cast<double>(m.row);
            moments[3 * at + 2] = static_cast<double>(m.col);
        }
    });
    if (last) last->keep(std::move(made), before, tables->most_of_last());
    return moments;
}

std::optional<std::vector<std::uint64_t>> pattern_from_lines(store::Resident const* frames,
                                                             std::span<std::uint16_t const> masks,
                                                             Options const& options) {
    if (!frames || !frames->is_lines()) return {};
    lines::UnitSet const set = frames->line_units();
    lines::CpuKernels const& kernels = lines::kernels_for(options.device);
    int const threads = options.device.threads();
    std::vector<std::vector<std::uint64_t>> parts(static_cast<std::size_t>(threads));
    parallel_for(set.units, threads, 1, [&](index u, int worker) {
        constexpr index tiles_of_word = 64 / planes::tile_frames;
        std::uint64_t chosen[lines::line_words] = {}, any = 0;
        index const first = u * lines::unit_tiles;
        index const count = std::min(lines::unit_tiles, std::ssize(masks) - first);
        for (index t = 0; t < count; ++t)
            chosen[t / tiles_of_word] |= std::uint64_t{masks[static_cast<std::size_t>(first + t)]}
                                         << t % tiles_of_word * planes::tile_frames;
        for (std::uint64_t const word : chosen) any |= word;
        if (any == 0) return;
        Step const step(options.trace, Phase::fold, worker, u);
        auto& sums = parts[static_cast<std::size_t>(worker)];
        sums.resize(static_cast<std::size_t>(set.grid.blocks() * 64));
        kernels.add_frames(set.unit(u), chosen, sums.data());
    });
    std::vector<std::uint64_t> all(static_cast<std::size_t>(set.grid.blocks() * 64));
    for (auto const& part : parts)
        for (std::size_t i = 0; i < part.size(); ++i) all[i] += part[i];
    return all;
}

}  // namespace sluice::stem4d
