// A square of the scan becomes patterns, and the raster goes on over the rest.
// SPDX-License-Identifier: Apache-2.0
#include "planning/patterns.h"

#include <algorithm>
#include <utility>

#include "bench/stopwatch.h"
#include "planning/gpu_work.h"
#include "store/plan.h"

namespace sluice::planning {
namespace {

// Enough for the groups of a solver, and some tenths of a second.
constexpr index edge = 32, small_edge = 16;

// Positions of a raster of another size, whose steps are those of a first one with `cols` columns.
std::vector<stem4d::Position> raster_like(std::vector<stem4d::Position> const& first, index cols,
                                          std::array<index, 2> shape) {
    using stem4d::Position;
    auto const minus = [](Position a, Position b) {
        return Position{a.row - b.row, a.col - b.col};
    };
    Position const along = minus(first[1], first[0]);
    Position const down = minus(first[static_cast<std::size_t>(cols)], first[0]);
    std::vector<Position> all;
    for (index i = 0; i < shape[0]; ++i)
        for (index k = 0; k < shape[1]; ++k) {
            auto const y = static_cast<double>(i), x = static_cast<double>(k);
            all.push_back({y * down.row + x * along.row, y * down.col + x * along.col});
        }
    return all;
}

/// Patterns of a square, as the whole scan's are made.
struct Square {
    stem4d::Patterns patterns;
    std::array<index, 2> scan{};
    double s = 0;
};

Result<Square> take(Subject const& subject, PlanOptions const& options,
                    stem4d::PatternsOptions const& how, index side,
                    std::vector<std::string>* notes) {
    LoadOptions const load = square_of(subject, options.load, side, {0.5, 0.5});
    SLUICE_TRY(Scan const scan, Scan::load(subject.dataset, load));
    Square out;
    out.scan = scan.scan_shape();
    double const since = bench::system_clock().wall();
    SLUICE_TRY(out.patterns, stem4d::patterns_of(scan, how, notes));
    out.s = bench::system_clock().wall() - since;
    return out;
}

std::size_t bytes_of_count(stem4d::Patterns const& patterns) {
    return std::visit([](auto const& counts) { return sizeof(counts[0]); }, patterns.counts);
}

}  // namespace

Result<PatternsPlan> plan_patterns(Subject const& subject, PlanOptions const& options, index count,
                                   std::vector<std::string>& notes) {
    PatternsPlan out;
    out.count = count;
    stem4d::PatternsOptions how = options.patterns;
    if (!how.positions.empty())
        return Error{Code::invalid_argument,
                     "positions are not planned (the plan takes the scan's raster) leave them out"};
    how.propagation = options.ptychography.propagation;
    if (options.measure) {
        // The first one begins what is begun once.
        SLUICE_TRY(Square small, take(subject, options, how, small_edge, nullptr));
        SLUICE_TRY(small, take(subject, options, how, small_edge, nullptr));
        out.small = std::move(small.patterns);
        out.small_s = small.s;
    }
    SLUICE_TRY(Square found, take(subject, options, how, edge, &notes));
    out.sample = std::move(found.patterns);
    out.sample_s = found.s;
    auto const square = found.scan;
    if (square[0] < 2 || square[1] < 2)
        return Error{Code::invalid_argument,
                     "the scan has one row or one column (a plan needs two of each)"};
    // The whole scan as it is loaded.
    std::array<index, 2> whole = subject.scan;
    if (subject.times == 1) {
        SLUICE_TRY(store::Plan const plan, store::make_plan(subject.dataset, options.load));
        whole = plan.scan;
    }
    stem4d::Patterns all;
    all.size = out.sample.size;
    all.wavelength_nm = out.sample.wavelength_nm;
    all.pixel_nm = out.sample.pixel_nm;
    all.propagation = out.sample.propagation;
    all.distance_mm = out.sample.distance_mm;
    all.positions = raster_like(out.sample.positions, square[1], whole);
    SLUICE_TRY(out.work_bytes, stem4d::ptychography_memory(all, options.ptychography));
    out.counts_bytes =
        static_cast<std::uint64_t>(count * all.size * all.size) * bytes_of_count(out.sample);
    for (auto const& stage : options.ptychography.stages) out.iterations += stage.iterations;
    if (auto gpu = gpu_ptychography(all, out.counts_bytes, options.ptychography))
        out.gpu = *std::move(gpu);
    else
        out.no_gpu = gpu.error().text();
    return out;
}

}  // namespace sluice::planning
