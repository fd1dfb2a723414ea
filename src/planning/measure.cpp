// Bands are loaded as the whole scan would be.
// SPDX-License-Identifier: Apache-2.0
#include "planning/measure.h"

#include <algorithm>

#include "base/run.h"
#include "bench/stopwatch.h"
#include "sluice/measured.h"
#include "store/arena.h"
#include "store/resident.h"

namespace sluice::planning {
namespace {

constexpr int bands = 5;
// A band takes about so long, so that threads and pages do not count.
constexpr double band_s = 0.15;

double seconds() {
    return bench::system_clock().wall();
}

struct Band {
    double load_s = 0, images_s = 0, begin_s = 0, disk_s = 0;
};

// Rows of stored frames from one on.
LoadOptions band_of(Subject const& subject, LoadOptions load, index row, index rows) {
    Region all =
        load.scan_region.value_or(Region{0, 0, subject.dataset.scan[0], subject.dataset.scan[1]});
    all.row += row;
    all.rows = rows;
    load.scan_region = all;
    load.residency = Residency::memory;
    load.memory = 0;
    load.hot_pixels = false;
    load.progress = {};
    return load;
}

Result<Band> take(Subject const& subject, PlanOptions const& options, LoadOptions const& load,
                  std::optional<stem4d::Disk>& disk) {
    Band band;
    // Pages that the last band left would be there already.
    store::Arena::drop_kept();
    SLUICE_TRY(store::Plan const plan, store::make_plan(subject.dataset, load));
    double const begin = seconds();
    SLUICE_TRY([[maybe_unused]] auto const sample, store::sample(subject.dataset, plan, load));
    band.begin_s = seconds() - begin;
    double const loading = seconds();
    SLUICE_TRY(Scan const scan, Scan::load(subject.dataset, load));
    // Scan::load() begins with a sample, too.
    band.load_s = std::max(1e-9, seconds() - loading - band.begin_s);
    if (options.detectors.empty()) return band;
    if (!disk) {
        double const finding = seconds();
        auto found = stem4d::find_disk(scan, load.device);
        band.disk_s = seconds() - finding;
        if (found) disk = *found;
    }
    stem4d::Options how;
    how.device = load.device;
    how.disk = disk;
    double const imaging = seconds();
    SLUICE_TRY([[maybe_unused]] auto const images,
               stem4d::virtual_image(scan, options.detectors, how));
    band.images_s = seconds() - imaging;
    return band;
}

// The last band once more: the system's cache has it now.
Result<double> load_again(Subject const& subject, PlanOptions const& options, index row, index rows,
                          index step) {
    PlanOptions loading = options;
    loading.detectors.clear();
    std::optional<stem4d::Disk> none;
    SLUICE_TRY(
        Band const band,
        take(subject, loading, band_of(subject, options.load, row / step * step, rows), none));
    return band.load_s;
}

}  // namespace

Result<Bands> measure_bands(Subject const& subject, PlanOptions const& options) {
    Region const all = options.load.scan_region.value_or(
        Region{0, 0, subject.dataset.scan[0], subject.dataset.scan[1]});
    index const step = std::max<index>(1, options.load.scan_bin * options.load.scan_step);
    std::optional<stem4d::Disk> disk;
    // The first band tells how many rows are enough, and fills what is made once.
    index rows = std::min(all.rows, std::max<index>(step, (512 + all.cols - 1) / all.cols * step));
    Bands out;
    for (int i = 0; i < 4; ++i) {
        SLUICE_TRY(Band const first,
                   take(subject, options, band_of(subject, options.load, 0, rows), disk));
        out.begin_s = first.begin_s;
        out.disk_s = std::max(out.disk_s, first.disk_s);
        if (first.load_s >= band_s || rows * bands >= all.rows) break;
        auto const wanted =
            static_cast<index>(1.3 * band_s / first.load_s * static_cast<double>(rows));
        rows =
            std::clamp(wanted / step * step, rows, std::max(rows, all.rows / bands / step * step));
    }
    rows = std::clamp<index>(rows, std::min(step, all.rows), all.rows);
    for (int i = 0; i < bands; ++i) {
        SLUICE_CHECK(tell_progress(options.progress, static_cast<std::uint64_t>(i), bands));
        index const row = (all.rows - rows) * i / (bands - 1) / step * step;
        LoadOptions const load = band_of(subject, options.load, row, rows);
        SLUICE_TRY(store::Plan const plan, store::make_plan(subject.dataset, load));
        SLUICE_TRY(Band const band, take(subject, options, load, disk));
        out.frames = plan.frames();
        out.load_s.push_back(band.load_s / static_cast<double>(plan.frames()));
        out.images_s.push_back(band.images_s / static_cast<double>(plan.frames()));
    }
    SLUICE_TRY(double const again, load_again(subject, options, all.rows - rows, rows, step));
    out.cached_load_s = again / static_cast<double>(std::max<index>(1, out.frames));
    store::Arena::drop_kept();
    return out;
}

namespace {

constexpr index first_iterations = 1, later_iterations = 4;

struct Reconstructed {
    std::vector<double> round_s;
    double around_s = 0;
};

Result<Reconstructed> reconstruct(stem4d::Patterns const& patterns,
                                  stem4d::PtychographyOptions const& options) {
    Reconstructed out;
    double const begin = seconds();
    SLUICE_TRY(auto const result, stem4d::ptychography(patterns, options));
    out.around_s = seconds() - begin;
    for (auto const& round : result.rounds) {
        out.around_s -= round.seconds;
        out.round_s.push_back(round.seconds);
    }
    out.around_s = std::max(0.0, out.around_s);
    return out;
}

}  // namespace

Line line_through(std::array<double, 2> few, std::array<double, 2> many) {
    double const more = many[0] - few[0];
    double const unit = more > 0 ? std::clamp((many[1] - few[1]) / more, 0.0, many[1] / many[0])
                                 : many[1] / many[0];
    return {many[1] - unit * many[0], unit};
}

// What a reconstruction takes around its iterations grows with the patterns only in part.
Result<Iterations> measure_iterations(PatternsPlan const& plan,
                                      stem4d::PtychographyOptions options) {
    options.checkpoint.clear();
    options.resume.clear();
    options.communicator = nullptr;
    options.stop_early = false;
    for (auto& stage : options.stages)
        stage.iterations = std::min(stage.iterations, first_iterations + later_iterations);
    Iterations out;
    out.patterns = plan.sample.count();
    // Threads and tables of transforms are there after this one.
    SLUICE_TRY(Reconstructed few, reconstruct(plan.small, options));
    SLUICE_TRY(few, reconstruct(plan.small, options));
    SLUICE_TRY(Reconstructed const many, reconstruct(plan.sample, options));
    auto const count = static_cast<double>(out.patterns);
    for (double const s : many.round_s) out.pattern_s.push_back(s / count);
    // The first iterations keep the probe as it is, and make what is kept.
    if (out.pattern_s.size() > 2) out.pattern_s.erase(out.pattern_s.begin());
    auto const at = [](stem4d::Patterns const& p, double made_s, Reconstructed const& r) {
        return std::array{static_cast<double>(p.count()), made_s + r.around_s};
    };
    out.begin =
        line_through(at(plan.small, plan.small_s, few), at(plan.sample, plan.sample_s, many));
    return out;
}

PlanTime time_of(std::vector<double> const& unit_s, double units, double fixed_s,
                 std::string basis) {
    constexpr double least_bar = 0.25, beyond = 0.2;
    Spread const s = spread_of(unit_s);
    PlanTime t;
    t.basis = std::move(basis);
    t.s = s.median * units + fixed_s;
    t.low_s = std::min((1 - least_bar) * t.s, (1 - beyond) * (s.min * units + fixed_s));
    t.high_s = std::max((1 + least_bar) * t.s, (1 + beyond) * (s.max * units + fixed_s));
    return t;
}

PlanTime sum_of(std::vector<PlanTime> const& steps) {
    PlanTime all;
    for (PlanTime const& t : steps) {
        all.s += t.s;
        all.low_s += t.low_s;
        all.high_s += t.high_s;
    }
    all.basis = "all steps";
    return all;
}

}  // namespace sluice::planning
