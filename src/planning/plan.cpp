// A plan: what a scan takes in each form, the peak of the work, and its time.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "base/memory.h"
#include "base/plural.h"
#include "planning/blocks.h"
#include "planning/conversion.h"
#include "planning/crystals.h"
#include "planning/flows.h"
#include "planning/gpu_work.h"
#include "planning/measure.h"
#include "planning/patterns.h"
#include "planning/plan_of.h"
#include "planning/results.h"
#include "planning/store_memory.h"
#include "planning/subject.h"
#include "store/resident.h"

namespace sluice {
namespace planning {
namespace {

// The system gives large pages to those who ask, as the arena does.
bool large_pages() {
    std::string line;
    std::getline(std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"), line);
    return !line.empty() && line.find("[never]") == line.npos;
}

// What drawing took beside the same command without pictures, 64x64 to 128x192 points.
constexpr std::uint64_t picture_bytes = 2'000'000;
// As `sluice stem4d orientation` writes them, in its usual formats; what belongs to no map counts
// as three of them.
constexpr int orientation_maps = 18;

std::string gigabytes(std::uint64_t bytes) {
    return fmt::format("{:.3g} GB", static_cast<double>(bytes) / 1e9);
}

class Planner {
  public:
    /// `base` bytes are what the process has without this work.
    Planner(Subject const& subject, PlanOptions const& options, std::uint64_t base)
        : subject_(subject), options_(options), base_(base) {
        out_.task = options.task;
        out_.subject = subject.name;
        out_.available = memory_available();
        limit_ = options.load.memory > 0 ? options.load.memory : store::memory_to_spare();
    }

    Result<WorkPlan> run() {
        SLUICE_CHECK(check_task());
        SLUICE_TRY(scan_, numbers(options_.load));
        SLUICE_CHECK(forms());
        parts();
        if (options_.task == PlanTask::ptychography) SLUICE_CHECK(reconstruction());
        if (crystals()) SLUICE_CHECK(disks());
        if (options_.task == PlanTask::convert) SLUICE_CHECK(conversion());
        gpu();
        if (options_.measure) SLUICE_CHECK(time());
        finish();
        return std::move(out_);
    }

  private:
    Subject const& subject_;
    PlanOptions const& options_;
    std::uint64_t base_;
    WorkPlan out_;
    std::uint64_t limit_ = 0;
    LoadedScan scan_;
    store::Sample sample_;
    std::vector<PatternsPlan> patterns_ = {};  // none or one
    CrystalSample crystals_ = {};
    ConversionPlan conversion_ = {};
    double cached_load_s_ = 0;

    bool crystals() const {
        return options_.task == PlanTask::disks || options_.task == PlanTask::strain ||
               options_.task == PlanTask::orientation;
    }

    Status check_task() const {
        if (options_.task != PlanTask::dose && options_.task != PlanTask::separate) return {};
        return Error{Code::invalid_argument,
                     "the task is not one of scans (doses are of plans, and songs are separated) "
                     "see plan_dose() and plan_separation()"};
    }

    // What loading with these options takes.
    Result<LoadedScan> numbers(LoadOptions const& load) {
        SLUICE_TRY(store::Plan const plan, store::make_plan(subject_.dataset, load));
        SLUICE_TRY(sample_, store::sample(subject_.dataset, plan, load));
        LoadedScan s;
        s.frames =
            static_cast<index>(std::llround(static_cast<double>(plan.frames()) * subject_.times));
        s.pixels = plan.pixels();
        s.value_bytes = static_cast<int>(size_of(plan.dtype));
        s.blocks = plan.grid().blocks();
        if (sample_.layout == Layout::planes)
            s.tile_bytes = static_cast<double>(sample_.planes_bytes) /
                           static_cast<double>(plan.frames()) * double{planes::tile_frames};
        s.stored_bytes = static_cast<double>(plan.bytes_to_read(subject_.dataset, plan.tiles())) /
                         static_cast<double>(std::max<index>(1, plan.frames()));
        s.threads = load.device.threads();
        s.large_pages = large_pages();
        return s;
    }

    void add_form(std::string name, double bytes, std::string basis) {
        auto const whole = static_cast<std::uint64_t>(bytes);
        out_.forms.push_back({std::move(name), whole, std::move(basis), whole <= limit_});
    }

    Status forms() {
        LoadedScan const s = scan_;
        double const values = static_cast<double>(s.frames) * static_cast<double>(s.pixels);
        std::string const sampled =
            subject_.times > 1 ? "a simulated sample" : "a sample of up to 192 frames";
        if (sample_.planes_bytes > 0)
            add_form("bit planes", static_cast<double>(sample_.planes_bytes) * subject_.times,
                     sampled);
        add_form("plain values", values * s.value_bytes, "exact");
        add_form("float32, as other tools have it", values * 4, "exact");
        if (options_.load.det_bin != 1) return {};
        store::Sample const whole = sample_;
        for (index const bin : {2, 4, 8}) {
            LoadOptions binned = options_.load;
            binned.det_bin = bin;
            auto const numbers_of = numbers(binned);
            if (!numbers_of) continue;  // such bins are larger than the detector
            add_form(fmt::format("bins of {0}x{0}", bin),
                     static_cast<double>(sample_.bytes()) * subject_.times, sampled);
        }
        sample_ = whole;
        return {};
    }

    void add_part(std::string name, std::uint64_t bytes, std::string basis) {
        out_.parts.push_back({std::move(name), bytes, std::move(basis), true});
        out_.peak += bytes;
    }

    bool asked_to_stream() const { return options_.load.residency == Residency::stream; }

    // As Scan::load() decides it.
    bool streams() const {
        if (options_.task == PlanTask::convert) return true;
        double const bytes = static_cast<double>(sample_.bytes()) * subject_.times;
        return asked_to_stream() || (options_.load.residency == Residency::automatic &&
                                     bytes > static_cast<double>(limit_));
    }

    void parts() {
        bool const planes = sample_.layout == Layout::planes;
        add_part("the program", base_, "this process now");
        out_.layout = streams() ? "streamed" : planes ? "bit planes" : "plain values";
        if (!streams())
            add_part(fmt::format("the scan as {}", out_.layout), arena_bytes(scan_),
                     planes ? "a sample, and the arena's pages" : "exact, and the arena's pages");
        add_part(
            "decoding",
            options_.task == PlanTask::convert ? value_worker_bytes(scan_) : worker_bytes(scan_),
            plural(scan_.threads, "worker"));
        add_part("places of frames", index_bytes(scan_), "16 bytes a frame");
        if (options_.task == PlanTask::images) {
            std::uint64_t const maps = static_cast<std::uint64_t>(scan_.frames) *
                                       options_.detectors.size() * sizeof(double);
            add_part("images", 2 * maps, "in double, and once more to be saved");
            add_part("pictures", picture_bytes, "a canvas at a time, and fonts");
        }
        // Each analysis reads again what is not kept; the disk is found first.
        bool const twice = options_.task == PlanTask::images || crystals();
        out_.passes = streams() && twice ? 2 : 1;
    }

    Status disks() {
        SLUICE_TRY(crystals_, sample_crystals(subject_, options_, out_.notes));
        for (PlanMemory& part : crystal_parts(crystals_, options_, scan_.frames))
            add_part(std::move(part.name), part.bytes, std::move(part.basis));
        return {};
    }

    Status conversion() {
        SLUICE_TRY(conversion_, plan_conversion(subject_, options_, out_.notes));
        add_part("blocks", conversion_.work_bytes,
                 fmt::format("of {}, {}", conversion_.format, plural(scan_.threads, "thread")));
        double const taken =
            static_cast<double>(conversion_.work_bytes + value_worker_bytes(scan_));
        add_part("holes between blocks", static_cast<std::uint64_t>(conversion_.holes * taken),
                 fmt::format("{:.0f} %, which the allocator keeps", 100 * conversion_.holes));
        return {};
    }

    Status reconstruction() {
        SLUICE_TRY(PatternsPlan found, plan_patterns(subject_, options_, scan_.frames, out_.notes));
        add_part("patterns", found.counts_bytes, "their counts, in the smallest type");
        add_part("the reconstruction", found.work_bytes, "`stem4d ptychography --plan`");
        patterns_.push_back(std::move(found));
        return {};
    }

    void gpu() {
        if (options_.task == PlanTask::images)
            out_.gpu = gpu_images(scan_, options_.detectors.size());
        for (PatternsPlan& p : patterns_) {
            out_.gpu = std::move(p.gpu);
            out_.no_gpu = std::move(p.no_gpu);
        }
        if (!out_.gpu && out_.no_gpu.empty())
            out_.no_gpu = "this task runs on processors only (images and ptychography run on GPUs)";
    }

    // Each value is read once, and written.
    Status time_of_conversion() {
        SLUICE_TRY(ConversionRates const found, measure_conversion(subject_, options_));
        out_.steps.push_back(
            time_of(found.frame_s, static_cast<double>(scan_.frames), found.fixed_s,
                    fmt::format("reading and writing ({})", plural(found.frame_s.size(), "band"))));
        return {};
    }

    // Of all that is read: each pass reads it again.
    double stored_bytes() const {
        return scan_.stored_bytes * static_cast<double>(scan_.frames) * out_.passes;
    }

    Status flows() {
        SLUICE_TRY(out_.flows,
                   disk_flows(subject_.dataset.files, stored_bytes(), options_.progress));
        FlowTimes t;
        t.stored_bytes = stored_bytes();
        t.cached_load_s = cached_load_s_;
        t.threads = scan_.threads;
        t.up = out_.gpu ? out_.gpu->up : 0;
        for (PlanTime const& step : out_.steps) {
            if (step.basis.starts_with("loading") || step.basis.starts_with("beginning")) continue;
            t.work_s += step.s;
            t.work += (t.work.empty() ? "" : ", ") + step.basis;
        }
        add_flows(out_.flows, t);
        out_.bottlenecks = bottlenecks_of(out_.flows);
        return {};
    }

    Status time() {
        begin_time();
        SLUICE_CHECK(options_.task == PlanTask::convert ? time_of_conversion() : time_of_scan());
        out_.time = sum_of(out_.steps);
        return flows();
    }

    void begin_time() {
        double const s = options_.begun_s;
        if (s <= 0) return;
        PlanTime begun = time_of({s}, 1, 0, "beginning and opening");
        begun.low_s = s / 2, begun.high_s = 3 * s;
        out_.steps.push_back(std::move(begun));
    }

    Status time_of_scan() {
        SLUICE_TRY(Bands const bands, measure_bands(subject_, options_));
        auto const frames = static_cast<double>(scan_.frames);
        cached_load_s_ = bands.cached_load_s * frames * out_.passes;
        auto const basis = [&](char const* what) {
            return fmt::format("{} (5 bands of {})", what, plural(bands.frames, "frame"));
        };
        out_.steps.push_back(
            time_of(bands.load_s, frames * out_.passes, bands.begin_s, basis("loading")));
        if (options_.task == PlanTask::images)
            out_.steps.push_back(time_of(bands.images_s, frames, bands.disk_s, basis("images")));
        for (PatternsPlan const& p : patterns_) {
            SLUICE_TRY(Iterations const found, measure_iterations(p, options_.ptychography));
            double const count = static_cast<double>(p.count);
            out_.steps.push_back(
                time_of(found.pattern_s, count * static_cast<double>(p.iterations),
                        found.begin.fixed + found.begin.unit * count,
                        fmt::format("{} (iterations of {})", plural(p.iterations, "iteration"),
                                    plural(found.patterns, "pattern"))));
        }
        if (crystals())
            for (PlanTime& step : crystal_steps(crystals_, options_, scan_.frames))
                out_.steps.push_back(std::move(step));
        if (options_.task == PlanTask::orientation && !crystals_.match.group_s.empty()) {
            SLUICE_TRY(PlanTime written,
                       time_of_maps(subject_.scan, orientation_maps, options_.folder));
            out_.steps.push_back(std::move(written));
        }
        return {};
    }

    void finish() {
        out_.fits = out_.peak <= out_.available + base_;
        if (out_.layout == "streamed" && options_.task != PlanTask::convert)
            out_.notes.push_back(
                asked_to_stream()
                    ? "each analysis reads the files again, as --stream asks"
                    : fmt::format("loading would take more than the limit of {} (60 % of what is "
                                  "free, or --memory-limit): each analysis reads the files again",
                                  gigabytes(limit_)));
        advise();
        if (subject_.times > 1 || options_.task == PlanTask::convert) return;
        Dataset const& d = subject_.dataset;
        if (auto const block = d.source ? d.source->block() : std::nullopt)
            tell_blocks(out_, block_cost(*block, d.scan, {d.rows, d.cols},
                                         static_cast<int>(size_of(d.dtype))));
    }

    void advise() {
        bool const streamed = out_.layout == "streamed" && options_.task != PlanTask::convert;
        if (out_.fits && (!streamed || asked_to_stream())) {
            out_.advice.emplace_back(fits_as_it_is);
            return;
        }
        if (options_.task == PlanTask::convert) {
            out_.advice.push_back("fewer --threads take less");
            return;
        }
        for (PlanMemory const& form : out_.forms)
            if (form.fits && form.name.starts_with("bins")) {
                out_.advice.push_back(fmt::format("{} fit: --det-bin {}", form.name,
                                                  form.name.substr(form.name.find('x') + 1)));
                break;
            }
        index const rows = subject_.scan[0];
        double const part =
            static_cast<double>(limit_) / (static_cast<double>(sample_.bytes()) * subject_.times);
        auto const fitting = static_cast<index>(0.9 * part * static_cast<double>(rows));
        if (fitting >= 1 && fitting < rows)
            out_.advice.push_back(fmt::format("or {} of the scan fit: --scan-region 0:{},0:{}",
                                              plural(fitting, "row"), fitting, subject_.scan[1]));
        if (options_.task != PlanTask::ptychography)
            out_.advice.push_back(
                "or the files are read for each analysis, in little memory: --stream");
        else if (!out_.fits)
            out_.advice.push_back(
                "or the reconstruction takes less: fewer --modes, a smaller --group, a smaller "
                "window (--size)");
    }
};

}  // namespace
}  // namespace planning

Result<WorkPlan> plan_work(Dataset dataset, PlanOptions const& options) {
    planning::Subject const subject = planning::subject_of(std::move(dataset));
    return planning::Planner(subject, options, memory_resident()).run();
}

Result<WorkPlan> plan_work(ScanSize const& size, std::string const& folder,
                           PlanOptions const& options) {
    if (options.load.scan_region || options.load.scan_bin != 1 || options.load.scan_step != 1)
        return Error{Code::invalid_argument,
                     "a scan that is not there has no regions, bins or steps of its scan; give its "
                     "size as it would be loaded"};
    std::uint64_t const base = memory_resident();  // writing a sample takes some
    SLUICE_TRY(planning::Subject const subject,
               planning::subject_of(size, folder, options.load.device.threads()));
    return planning::Planner(subject, options, base).run();
}

}  // namespace sluice
