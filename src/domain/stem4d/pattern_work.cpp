// Diffraction patterns over a scan: who takes part, and what their sums and squares say.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "domain/stem4d/words.h"
#include "domain/stem4d/work.h"
#include "scan/describe.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

double value_of(dense::PixelStats const& s, Pattern kind, double frames) {
    double const n = frames - s.lacks;
    if (!(n > 0)) return std::numeric_limits<double>::quiet_NaN();
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

// Calls f(pixel of [row][col], place of it in [block * 64 + bit]).
template <class F>
void for_each_pixel(planes::Grid grid, F const& f) {
    for (index r = 0; r < grid.rows; ++r)
        for (index c = 0; c < grid.cols; ++c)
            f(static_cast<std::size_t>(r * grid.cols + c),
              static_cast<std::size_t>(grid.block_of(r, c) * 64 + planes::Grid::bit_of(r, c)));
}

}  // namespace

Result<Pattern> parse_pattern(std::string const& name) {
    return config::read_word<Pattern>("the pattern", name);
}

Result<PatternWork> PatternWork::begin(Scan const& scan, std::span<Pattern const> kinds,
                                       std::span<std::uint8_t const> take) {
    store::Plan const& plan = scan.plan();
    PatternWork work;
    work.kinds.assign(kinds.begin(), kinds.end());
    work.chosen.assign(static_cast<std::size_t>(plan.frames()), 1);
    if (!take.empty()) {
        if (take.size() != work.chosen.size())
            return Error{Code::invalid_argument,
                         fmt::format("a choice of {} scan points (the scan has {}x{})", take.size(),
                                     plan.scan[0], plan.scan[1])};
        for (std::size_t i = 0; i < take.size(); ++i) work.chosen[i] = take[i] != 0;
    }
    auto const count = [&] {
        return std::accumulate(work.chosen.begin(), work.chosen.end(), index{0});
    };
    if (count() == 0)
        return Error{Code::invalid_argument, "no scan point chosen; choose at least one"};
    for (std::size_t i = 0; i < plan.lost.size(); ++i)
        if (plan.lost[i]) work.chosen[i] = 0;
    work.frames = count();
    if (work.frames == 0)
        return Error{Code::incomplete,
                     "no chosen scan point was measured (no file holds its frame); choose others"};
    work.masks = frame_masks(work.chosen, plan.tiles());
    work.stats.resize(static_cast<std::size_t>(plan.rows * plan.cols));
    return work;
}

bool PatternWork::by_sums(Scan const& scan) const {
    return scan.chosen_layout() == Layout::planes && std::ranges::all_of(kinds, [](Pattern kind) {
               return kind == Pattern::sum || kind == Pattern::mean;
           });
}

bool PatternWork::by_squares(Scan const& scan) const {
    return scan.chosen_layout() == Layout::planes && !by_sums(scan) &&
           std::ranges::none_of(kinds, [](Pattern kind) { return kind == Pattern::max; });
}

void PatternWork::take(std::span<std::uint64_t const> sums, planes::Grid grid) {
    for_each_pixel(grid, [&](std::size_t pixel, std::size_t from) {
        stats[pixel].sum = static_cast<double>(sums[from]);
    });
}

void PatternWork::take_squares(std::span<double const> both, planes::Grid grid) {
    for_each_pixel(grid, [&](std::size_t pixel, std::size_t from) {
        stats[pixel].sum = both[from];
        stats[pixel].squares = both[from + both.size() / 2];
    });
}

std::vector<DiffractionPattern> PatternWork::finish(Scan const& scan,
                                                    store::Tally const& tally) const {
    std::vector<std::string> notes = scan.notes();
    fold::describe(tally, scan.dataset(), notes);
    std::vector<DiffractionPattern> all;
    for (Pattern const kind : kinds) {
        DiffractionPattern out{Array<double>::zeros({scan.plan().rows, scan.plan().cols}), frames,
                               notes};
        for (std::size_t i = 0; i < stats.size(); ++i)
            out.values.values[i] = value_of(stats[i], kind, static_cast<double>(frames));
        all.push_back(std::move(out));
    }
    return all;
}

}  // namespace sluice::stem4d
