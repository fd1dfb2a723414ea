// Squares of a scan are worked on as the whole would be.
// SPDX-License-Identifier: Apache-2.0
#include "planning/crystals.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "bench/stopwatch.h"
#include "domain/crystal/detect/disk_work.h"
#include "domain/crystal/detect/sample.h"
#include "domain/crystal/memory.h"
#include "domain/orientation/match/memory.h"
#include "planning/measure.h"
#include "sluice/strain.h"
#include "store/plan.h"

namespace sluice::planning {
namespace {

// Some tenths of a second for a square.
constexpr index square_side = 12;
constexpr std::array<std::array<double, 2>, 5> places{{{0.5, 0.5}, {0, 0}, {0, 1}, {1, 0}, {1, 1}}};

class Sampling {
  public:
    Sampling(Subject const& subject, PlanOptions const& options, std::vector<std::string>& notes)
        : subject_(subject), options_(options), notes_(notes) {
        run_.device = options.load.device;
    }

    Result<CrystalSample> run() {
        if (options_.task == PlanTask::orientation) SLUICE_CHECK(build_library());
        std::size_t const squares = options_.measure ? places.size() : 1;
        for (std::size_t i = 0; i < squares; ++i) SLUICE_CHECK(take(places[i], i == 0));
        if (options_.task == PlanTask::orientation) SLUICE_CHECK(take_match());
        out_.disks /= static_cast<double>(squares * static_cast<std::size_t>(out_.patterns));
        return std::move(out_);
    }

  private:
    Subject const& subject_;
    PlanOptions const& options_;
    std::vector<std::string>& notes_;
    stem4d::Options run_;
    CrystalSample out_;
    stem4d::DiskSetup setup_ = {};
    std::optional<stem4d::OrientationLibrary> library_ = {};
    stem4d::BraggVectors all_ = {};  ///< of all squares, one below the other

    static double seconds() { return bench::system_clock().wall(); }
    double per_pattern(double since) const {
        return (seconds() - since) / static_cast<double>(out_.patterns);
    }

    Status build_library() {
        PlanCrystal const& c = options_.crystal;
        if (c.cells.empty())
            return Error{Code::invalid_argument,
                         "no crystal is given (orientations are those of known crystals) name "
                         "CIFs by --crystal"};
        if (c.cells.size() > 1 && !c.calibration)
            return Error{Code::invalid_argument,
                         "no --calibration is given (with several crystals the scan does not tell "
                         "which of them is the measure) make one with `sluice stem4d calibrate`"};
        SLUICE_TRY(library_, stem4d::OrientationLibrary::build(c.cells, c.library, run_));
        out_.library_bytes = library_->bytes();
        out_.library_s = library_->build_seconds();
        return {};
    }

    Status begin(Scan const& scan) {
        PlanCrystal const& c = options_.crystal;
        double const since = seconds();
        stem4d::ProbeTemplate probe;
        if (c.probe) {
            probe = *c.probe;
        } else {
            SLUICE_TRY(auto const fitted, stem4d::fit_template(scan, c.fit, run_));
            probe = fitted.probe;
        }
        SLUICE_TRY(setup_, stem4d::plan_disks(scan, probe, c.disks, run_));
        out_.begin_s = seconds() - since;
        SLUICE_TRY(auto const work, crystal::DiskWork::begin(scan, setup_, run_));
        out_.work_bytes = work->bytes();
        return {};
    }

    Status take(std::array<double, 2> place, bool first) {
        SLUICE_TRY(Scan const scan, Scan::load(subject_.dataset, square_of(subject_, options_.load,
                                                                           square_side, place)));
        out_.patterns = scan.plan().frames();
        out_.pixels = scan.plan().pixels();
        out_.value_bytes = size_of(scan.plan().dtype);
        if (first) SLUICE_CHECK(begin(scan));
        double const since = seconds();
        SLUICE_TRY(stem4d::BraggVectors const found, stem4d::find_disks(scan, setup_, run_));
        out_.find_s.push_back(per_pattern(since));
        out_.disks += static_cast<double>(found.size());
        if (options_.task == PlanTask::strain && options_.measure) take_lattice(found);
        if (options_.task == PlanTask::orientation) append(all_, found);
        return {};
    }

    // Squares without a lattice take no time for one.
    void take_lattice(stem4d::BraggVectors const& found) {
        double const since = seconds();
        auto const basis = stem4d::find_basis(found);
        if (!basis) return;
        auto const fit = stem4d::fit_lattice(found, *basis, {}, run_);
        if (fit && stem4d::strain(*fit, {}, run_)) out_.lattice_s.push_back(per_pattern(since));
    }

    Result<stem4d::Calibration> calibration() const {
        if (!options_.crystal.calibration) {
            SLUICE_TRY(auto made,
                       stem4d::calibrate(all_, {.cell = options_.crystal.cells.front()}, run_));
            return std::move(made.calibration);
        }
        // That of the whole scan, on squares of it.
        stem4d::Calibration c = *options_.crystal.calibration;
        c.scan_shape = all_.scan_shape;
        if (c.origins) c.origins->scan_shape = all_.scan_shape;
        return c;
    }

    Status take_match() {
        out_.threads = run_.device.host().threads();
        out_.match_bytes =
            orient::matcher_bytes(library_->state()) * static_cast<std::uint64_t>(out_.threads);
        if (!options_.measure) return {};
        double const since = seconds();
        auto const found = calibration();
        out_.calibrate_s =
            (seconds() - since) / static_cast<double>(std::max<index>(1, all_.patterns()));
        if (!found) {
            notes_.push_back(
                fmt::format("the squares of the scan cannot be calibrated, so that "
                            "matching is not measured, and not in the time: {}",
                            found.error().message));
            return {};
        }
        SLUICE_TRY(out_.match,
                   measure_matching(all_, *found, *library_, options_.crystal.match, run_));
        return {};
    }
};

std::string of_squares(char const* what, CrystalSample const& s, std::size_t squares) {
    return fmt::format("{} ({} of {})", what, plural(squares, "square"),
                       plural(s.patterns, "pattern"));
}

}  // namespace

Result<CrystalSample> sample_crystals(Subject const& subject, PlanOptions const& options,
                                      std::vector<std::string>& notes) {
    return Sampling(subject, options, notes).run();
}

std::vector<PlanMemory> crystal_parts(CrystalSample const& s, PlanOptions const& options,
                                      index patterns) {
    auto const disks = static_cast<index>(s.disks * static_cast<double>(patterns));
    std::vector<PlanMemory> parts;
    auto const add = [&](char const* name, std::uint64_t bytes, std::string basis) {
        parts.push_back({name, bytes, std::move(basis), true});
    };
    std::string const many = fmt::format("{:.1f} disks a pattern, from squares", s.disks);
    std::uint64_t const sample = crystal::sample_bytes(patterns, s.pixels, s.value_bytes);
    add("a sample of patterns", sample, "by which the search is planned");
    // What comes after the search has the room that the sample leaves.
    auto const add_later = [&](char const* name, std::uint64_t bytes, char const* basis) {
        if (bytes > sample) add(name, bytes - sample, fmt::format("beyond the sample; {}", basis));
    };
    add("the search for disks", s.work_bytes, "exact but for lists of candidates");
    if (options.task == PlanTask::disks) {
        // They go to a file as they come.
        add("disks", static_cast<std::uint64_t>(patterns) * 9, "9 bytes a pattern");
        return parts;
    }
    std::uint64_t const columns = crystal::column_bytes(patterns, disks);
    std::uint64_t const found = crystal::found_bytes(patterns, disks);
    add("disks", columns, many);
    if (options.task == PlanTask::strain) {
        std::uint64_t const maps =
            crystal::lattice_bytes(patterns) + crystal::strain_bytes(patterns);
        add_later("lattices and strain", std::max(found, maps), "exact, in double");
        return parts;
    }
    add("the library", s.library_bytes, "exact");
    std::uint64_t const map = orient::map_bytes(patterns, options.crystal.match.grains);
    // Disks are calibrated in a copy.
    add_later("matching", std::max(found, s.match_bytes + columns + map),
              "spectra of 512 patterns a worker, and the map");
    return parts;
}

std::vector<PlanTime> crystal_steps(CrystalSample const& s, PlanOptions const& options,
                                    index patterns) {
    auto const n = static_cast<double>(patterns);
    std::vector<PlanTime> steps;
    if (s.library_s > 0) steps.push_back(time_of({s.library_s}, 1, 0, "the library"));
    // The search is planned by a sample, of which a square has not all.
    auto const sample = [&](index of) {
        return static_cast<double>(crystal::sample_bytes(of, s.pixels, s.value_bytes));
    };
    double const begin_s = s.begin_s * sample(patterns) / sample(s.patterns);
    steps.push_back(time_of(s.find_s, n, begin_s, of_squares("disks", s, s.find_s.size())));
    if (options.task == PlanTask::strain && !s.lattice_s.empty())
        steps.push_back(
            time_of(s.lattice_s, n, 0, of_squares("lattices and strain", s, s.lattice_s.size())));
    MatchRates const& m = s.match;
    if (!m.group_s.empty())
        steps.push_back(time_of(
            m.group_s, rounds_of(patterns, m.group_patterns, s.threads), m.begin_s,
            fmt::format("orientations ({} of {} on each thread)", plural(m.group_s.size(), "group"),
                        plural(m.group_patterns, "pattern"))));
    return steps;
}

}  // namespace sluice::planning
