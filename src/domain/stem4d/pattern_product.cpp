// Diffraction patterns over a scan: who takes part, and what their sums and squares say.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "domain/stem4d/all_stats.h"
#include "domain/stem4d/pixel_references.h"
#include "domain/stem4d/product.h"
#include "domain/stem4d/square_planes.h"
#include "domain/stem4d/sum_lines.h"
#include "domain/stem4d/sum_planes.h"
#include "domain/stem4d/words.h"
#include "scan/describe.h"
#include "scan/fold.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

// Of corrected values, from the statistics of those that were read: a gain is not negative, so that
// the largest stays the largest.
dense::PixelStats corrected(dense::PixelStats const& s, double dark, double gain, double frames) {
    double const n = frames - s.lacks;
    if (gain == 0) return {.sum = 0, .squares = 0, .max = 0, .lacks = s.lacks};
    // As a variance needs it: about the dark, so that nothing but the spread is left.
    double const squares = s.squares - 2 * dark * s.sum + n * dark * dark;
    return {.sum = gain * (s.sum - n * dark),
            .squares = gain * gain * squares,
            .max = gain * (s.max - dark),
            .lacks = s.lacks};
}

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

/// Diffraction patterns of several kinds, over the same points.
class PatternProduct final : public Product {
  public:
    Status begin(Scan const& scan, std::span<Pattern const> kinds,
                 std::span<std::uint8_t const> take, References const& references);

    fold::AnyAnalysis<store::Unit> analysis(Scan const& scan, Device const& device) const override {
        planes::Grid const grid = scan.plan().grid();
        if (by_sums(scan)) return SumPlanes{masks_, device, grid};
        if (by_squares(scan)) return SquarePlanes{masks_, device, grid};
        return AllStats{masks_, chosen_, device, grid};
    }
    index batch(Scan const& scan) const override {
        return by_sums(scan) || by_squares(scan) ? SumPlanes::batch : 1;
    }
    void leave_out(Scan const&, fold::FoldOptions& pass) const override {
        for (std::uint16_t const m : masks_) pass.skip.push_back(m == 0);
    }
    Result<bool> from_tables(ScanTables& tables, Scan const& scan, bool alone,
                             Options const& options, std::any& found) const override;
    Result<bool> from_lines(ScanTables* tables, Scan const& scan, Options const& options,
                            std::any& found) const override;
    Status remote(RemoteScan& remote, Scan const& scan, std::any& found) const override {
        AllStats::Result stats(static_cast<std::size_t>(scan.plan().pixels()));
        SLUICE_CHECK(remote.pattern(chosen_, stats));
        found = std::move(stats);
        return {};
    }
    void finish(std::any found, Scan const& scan, store::Tally const& tally, Options const&,
                Products& out) override;

  private:
    std::vector<Pattern> kinds_ = {};
    index frames_ = 0;  ///< that take part
    PixelReferences references_ = {};
    std::vector<std::uint8_t> chosen_ = {};      ///< [frame]
    std::vector<std::uint16_t> masks_ = {};      ///< [tile]
    std::vector<dense::PixelStats> stats_ = {};  ///< [row][col], what the pass finds

    /// Which analysis is the least that finds all that the patterns need; else it is AllStats.
    bool by_sums(Scan const& scan) const;
    bool by_squares(Scan const& scan) const;
    /// Those that were measured.
    index count_chosen(store::Plan const& plan);
    void take(std::span<std::uint64_t const> sums, planes::Grid grid);
    /// The same as stats_ and value_of() give for sums and means of counts.
    DiffractionPattern pattern_of(std::span<std::uint64_t const> sums, Pattern kind,
                                  store::Plan const& plan,
                                  std::vector<std::string> const& notes) const;
    void take_squares(std::span<double const> both, planes::Grid grid);
};

Status PatternProduct::begin(Scan const& scan, std::span<Pattern const> kinds,
                             std::span<std::uint8_t const> take, References const& references) {
    store::Plan const& plan = scan.plan();
    references_ = pixel_references(scan, references);
    kinds_.assign(kinds.begin(), kinds.end());
    chosen_.assign(static_cast<std::size_t>(plan.frames()), 1);
    if (!take.empty()) {
        if (take.size() != chosen_.size())
            return Error{Code::invalid_argument,
                         fmt::format("the choice has {} scan points (the scan has {}x{})",
                                     take.size(), plan.scan[0], plan.scan[1])};
        for (std::size_t i = 0; i < take.size(); ++i) chosen_[i] = take[i] != 0;
    }
    if (std::ranges::count(chosen_, std::uint8_t{1}) == 0)
        return Error{Code::invalid_argument, "no scan point is chosen; choose at least one"};
    frames_ = count_chosen(plan);
    if (frames_ == 0)
        return Error{Code::incomplete,
                     "no chosen scan point was measured (no file holds its frame); choose others"};
    masks_ = frame_masks(chosen_, plan.tiles());
    return {};
}

index PatternProduct::count_chosen(store::Plan const& plan) {
    for (std::size_t i = 0; i < plan.lost.size(); ++i)
        if (plan.lost[i]) chosen_[i] = 0;
    return std::accumulate(chosen_.begin(), chosen_.end(), index{0});
}

bool PatternProduct::by_sums(Scan const& scan) const {
    return scan.chosen_layout() == Layout::planes && std::ranges::all_of(kinds_, [](Pattern kind) {
               return kind == Pattern::sum || kind == Pattern::mean;
           });
}

bool PatternProduct::by_squares(Scan const& scan) const {
    return scan.chosen_layout() == Layout::planes && !by_sums(scan) &&
           std::ranges::none_of(kinds_, [](Pattern kind) { return kind == Pattern::max; });
}

void PatternProduct::take(std::span<std::uint64_t const> sums, planes::Grid grid) {
    stats_.resize(static_cast<std::size_t>(grid.rows * grid.cols));
    for_each_pixel(grid, [&](std::size_t pixel, std::size_t from) {
        stats_[pixel].sum = static_cast<double>(sums[from]);
    });
}

DiffractionPattern PatternProduct::pattern_of(std::span<std::uint64_t const> sums, Pattern kind,
                                              store::Plan const& plan,
                                              std::vector<std::string> const& notes) const {
    DiffractionPattern out{Array<double>::zeros({plan.rows, plan.cols}), frames_, notes, false};
    planes::Grid const grid = plan.grid();
    double const divisor = kind == Pattern::sum ? 1 : static_cast<double>(frames_);
    for (index r = 0; r < grid.rows; ++r) {
        double* const row = out.values.values.data() + r * grid.cols;
        for (index c = 0; c < grid.cols; c += planes::block_edge) {
            auto const* const from =
                sums.data() + grid.block_of(r, c) * 64 + planes::Grid::bit_of(r, c);
            index const n = std::min(planes::block_edge, grid.cols - c);
            for (index i = 0; i < n; ++i) row[c + i] = static_cast<double>(from[i]) / divisor;
        }
    }
    return out;
}

void PatternProduct::take_squares(std::span<double const> both, planes::Grid grid) {
    stats_.resize(static_cast<std::size_t>(grid.rows * grid.cols));
    for_each_pixel(grid, [&](std::size_t pixel, std::size_t from) {
        stats_[pixel].sum = both[from];
        stats_[pixel].squares = both[from + both.size() / 2];
    });
}

// They are made with the first pattern of more than half of the scan, whose pass they replace.
Result<bool> PatternProduct::from_tables(ScanTables& tables, Scan const& scan, bool alone,
                                         Options const& options, std::any& found) const {
    if (!by_sums(scan)) return false;
    bool const most = 2 * frames_ > scan.plan().frames();
    auto table = tables.patterns({options.device, options.trace, alone && most});
    if (!table) return false;
    PatternSums::Split const split = table->split(chosen_);
    // Tiles that are looked at for a few of their frames cost as much as for all.
    auto const tiles_of = [](std::vector<std::uint16_t> const& masks) {
        return std::ssize(masks) - std::ranges::count(masks, std::uint16_t{0});
    };
    auto const masks_of = [&](std::vector<std::uint8_t> const& frames) {
        return frame_masks(frames, scan.plan().tiles());
    };
    auto const add_masks = masks_of(split.add), take_masks = masks_of(split.take_away);
    index const add = tiles_of(add_masks), take_away = tiles_of(take_masks);
    if (4 * (add + take_away) > tiles_of(masks_)) return false;
    Step const step(options.trace, Phase::tables, 0);
    table = tables.with(table, split.squares);
    if (!table) return false;
    std::vector<std::uint64_t> all = table->sums(split.squares, options.device);
    auto const pass = [&](std::vector<std::uint16_t> const& masks) -> Result<SumPlanes::Result> {
        if (auto sums = pattern_from_lines(scan.resident_store(), masks, options))
            return std::move(*sums);
        fold::FoldOptions fold{.device = options.device, .trace = options.trace};
        fold.batch = SumPlanes::batch;
        for (std::uint16_t const m : masks) fold.skip.push_back(m == 0);
        return fold::fold(scan, SumPlanes{masks, options.device, scan.plan().grid()}, fold);
    };
    if (add > 0) {
        SLUICE_TRY(auto const sums, pass(add_masks));
        for (std::size_t i = 0; i < sums.size(); ++i) all[i] += sums[i];
    }
    if (take_away > 0) {
        SLUICE_TRY(auto const sums, pass(take_masks));
        for (std::size_t i = 0; i < sums.size(); ++i) all[i] -= sums[i];
    }
    found = SumPlanes::Result(std::move(all));
    return true;
}

Result<bool> PatternProduct::from_lines(ScanTables*, Scan const& scan, Options const& options,
                                        std::any& found) const {
    if (!by_sums(scan)) return false;
    auto sums = pattern_from_lines(scan.resident_store(), masks_, options);
    if (!sums) return false;
    found = SumPlanes::Result(std::move(*sums));
    return true;
}

void PatternProduct::finish(std::any found, Scan const& scan, store::Tally const& tally,
                            Options const& options, Products& out) {
    planes::Grid const grid = scan.plan().grid();
    auto const* const sums = std::any_cast<SumPlanes::Result>(&found);
    // Of a live scan nothing may have come, which stats_ know.
    bool const plain = sums && !references_.any() && !scan.dataset().feed;
    if (sums && !plain) take(*sums, grid);
    if (auto const* const both = std::any_cast<SquarePlanes::Result>(&found))
        take_squares(*both, grid);
    if (auto* const stats = std::any_cast<AllStats::Result>(&found)) stats_ = std::move(*stats);
    std::vector<std::string> notes = scan.notes();
    fold::describe(tally, scan.dataset(), notes);
    if (references_.any()) notes.push_back(describe(scan, options.references));
    // Of a live scan it is known only now what did not come; it counted as zeros.
    if (scan.dataset().feed) frames_ = count_chosen(scan.plan());
    auto const frames = static_cast<double>(frames_);
    for (std::size_t i = 0; i < references_.gain.size(); ++i)
        stats_[i] = corrected(stats_[i], static_cast<double>(references_.dark[i]),
                              static_cast<double>(references_.gain[i]), frames);
    for (Pattern const kind : kinds_) {
        if (plain) {
            out.patterns.push_back(pattern_of(*sums, kind, scan.plan(), notes));
            continue;
        }
        DiffractionPattern pattern{Array<double>::zeros({scan.plan().rows, scan.plan().cols}),
                                   frames_, notes, references_.any()};
        for (std::size_t i = 0; i < stats_.size(); ++i)
            pattern.values.values[i] = value_of(stats_[i], kind, frames);
        out.patterns.push_back(std::move(pattern));
    }
}

}  // namespace

Result<Pattern> parse_pattern(std::string const& name) {
    return config::read_word<Pattern>("the pattern", name);
}

Status add_patterns(Scan const& scan, Wanted const& wanted, Options const& options,
                    ProductList& list) {
    if (wanted.patterns.empty()) return {};
    auto patterns = std::make_unique<PatternProduct>();
    SLUICE_CHECK(patterns->begin(scan, wanted.patterns, wanted.take, options.references));
    list.push_back(std::move(patterns));
    return {};
}

}  // namespace sluice::stem4d
