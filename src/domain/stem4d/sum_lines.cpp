// Counts masks on lines, some units at a time.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/sum_lines.h"

#include <algorithm>

#include "device/workers.h"
#include "kernel/lines/cpu.h"

namespace sluice::stem4d {
namespace {

using lines::unit_frames;

// Units that a worker takes at a time: the kernel fetches a unit's lines while it counts those of
// the unit before.
constexpr index most_units = 8;

}  // namespace

std::optional<std::vector<double>> sums_from_lines(store::Resident const* frames,
                                                   std::span<Compiled const> detectors,
                                                   Options const& options) {
    auto const weighted = [](Compiled const& d) { return d.weighted; };
    if (!frames || !frames->is_lines() || std::ranges::any_of(detectors, weighted)) return {};
    lines::UnitSet const set = frames->line_units();
    // Counted bit by bit these take longer than a pass over tiles, which knows how to.
    for (index u = 0; u < set.units; ++u)
        if (set.unit(u).wide()) return {};
    std::vector<lines::LineMask> masks;
    for (Compiled const& d : detectors) masks.push_back(lines::line_mask(d.words, set.grid));
    lines::CpuKernels const& kernels = lines::kernels_for(options.device);
    int const threads = options.device.threads();
    index const some = std::clamp<index>(set.units / (4 * threads), 1, most_units);
    std::vector<double> sums(masks.size() * static_cast<std::size_t>(set.frames));
    parallel_for((set.units + some - 1) / some, threads, 1, [&](index piece, int worker) {
        Step const step(options.trace, Phase::fold, worker, piece);
        index const first = piece * some, count = std::min(some, set.units - first);
        lines::Unit units[most_units];
        for (index u = 0; u < count; ++u) units[u] = set.unit(first + u);
        std::uint64_t found[most_units][unit_frames];
        index const frame = first * unit_frames;
        index const here = std::min(count * unit_frames, set.frames - frame);
        for (std::size_t m = 0; m < masks.size(); ++m) {
            kernels.count({units, static_cast<std::size_t>(count)}, masks[m], found);
            std::uint64_t const* const from = found[0];
            double* const to = sums.data() + static_cast<index>(m) * set.frames + frame;
            for (index f = 0; f < here; ++f)
                to[f] = static_cast<double>(from[f]) - detectors[m].offset;
        }
    });
    return sums;
}

}  // namespace sluice::stem4d
