// Makes the file of tables beside a scan in one pass over it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/pause.h"
#include "domain/stem4d/concentric.h"
#include "domain/stem4d/table_sink.h"
#include "scan/describe.h"
#include "scan/fold.h"
#include "scan/scan_tables.h"
#include "sluice/stem4d_tables.h"

namespace sluice::stem4d {
namespace {

namespace fs = std::filesystem;

Error refuse(Scan const& scan, std::string message) {
    return {Code::unsupported, std::move(message), scan.dataset().path};
}

Status check_scan(Scan const& scan, Device const& device) {
    Dataset const& d = scan.dataset();
    if (device.kind() != Device::Kind::cpu)
        return refuse(scan, "has its tables made by processors (this device is none); give cpu");
    if (d.feed || d.files.empty())
        return refuse(scan,
                      "has no files yet that tables could belong to (they are believed as long as "
                      "those stay as they are); save the scan first");
    if (scan.dtype() == DType::f32)
        return refuse(scan,
                      "is loaded as floating-point values (tables are exact sums of whole "
                      "numbers); take bins by sum, or leave it without tables");
    if (scan.chosen_layout() != Layout::planes)
        return refuse(scan,
                      "is loaded as plain values (tables are made of bit planes); give the layout "
                      "planes");
    return {};
}

// What is no file of tables stays, but for an empty file or a damaged one in its usual place. A new
// file in a scan's folder would change the scan.
Status check_place(std::string const& path, Dataset const& dataset, std::string const& option) {
    std::error_code ignored;
    for (std::string const& file : dataset.files) {
        if (!fs::is_directory(file, ignored)) continue;
        fs::path const within = fs::weakly_canonical(path, ignored)
                                    .lexically_relative(fs::weakly_canonical(file, ignored));
        if (!within.empty() && *within.begin() != "..")
            return Error{Code::invalid_argument,
                         fmt::format("would lie in the scan's own folder {}, and change it; give "
                                     "{} a file beside it",
                                     file, option),
                         path};
    }
    if (!fs::exists(path, ignored)) return {};
    if (path.ends_with(tables_ending) && fs::is_regular_file(path, ignored)) return {};
    SLUICE_TRY(File const file, File::open(path));
    std::vector<std::byte> head(std::min<std::uint64_t>(file.size(), 8));
    SLUICE_CHECK(file.read(0, head));
    if (head.empty() || TablesFile::begins(head)) return {};
    return Error{Code::invalid_argument,
                 fmt::format("is there and is no file of tables (it stays as it is); give {} "
                             "another file",
                             option),
                 path};
}

Error beside(Error error, std::string const& option) {
    std::string const named = "--tables-file";
    error.message += fmt::format("; or write the tables elsewhere by {} FILE", option);
    if (option != named) error.message += fmt::format(", and name them by {} FILE", named);
    return error;
}

/// What is known before the pass.
struct Job {
    TablesHead head = {};
    std::optional<Point> center = {};
    std::vector<std::uint16_t> rings = {};  ///< [row][col]; empty: none
    index ring_count = 0;
    bool patterns = true;
};

// Far from the detector there are as many rings as pixels of the way, and they tell nothing.
Status check_center(Point center, store::Plan const& plan) {
    auto const near = [](double at, index pixels) {
        auto const n = static_cast<double>(pixels);
        return at >= -n && at <= 2 * n;
    };
    if (near(center.row, plan.stored.rows) && near(center.col, plan.stored.cols)) return {};
    return Error{Code::invalid_argument,
                 fmt::format("the rings' centre {:g}:{:g} lies far from the detector (it has {}x{} "
                             "pixels); give one that is nearer",
                             center.row, center.col, plan.stored.rows, plan.stored.cols)};
}

/// Bytes of what is being filled, of each worker and of all: rings, and squares of scan points.
struct Needs {
    double rings = 0, squares = 0;
};

Needs needs_of(store::Plan const& plan, index rings, int threads) {
    constexpr double most_frames = 60 * planes::tile_frames;  // of a group
    double const across =
        std::ceil(static_cast<double>(plan.scan[1]) / static_cast<double>(TableUnits::edge));
    double const parts = threads + 2;
    return {parts * most_frames * 8 * static_cast<double>(rings),
            parts * 2 * across * 64 * 8 * static_cast<double>(plan.grid().blocks())};
}

Result<Job> prepare(Scan const& scan, TablesOptions const& options, TablesMade& made) {
    Job job;
    TablesHead& head = job.head;
    store::Plan const& plan = scan.plan();
    SLUICE_TRY(head.key, tables_key(scan.dataset(), plan, scan.options()));
    head.frames = plan.frames(), head.rows = plan.rows, head.cols = plan.cols;
    head.chosen = scan.options().layout == Layout::automatic;
    head.planes_bytes = scan.memory().planes;
    auto const disk = find_disk(scan, options.device);
    if (disk)
        head.disk = {disk->center.row, disk->center.col, disk->radius,
                     disk->quality.value_or(std::numeric_limits<double>::quiet_NaN())};
    job.center = options.center;
    if (!job.center && disk) job.center = disk->center;
    if (job.center) {
        SLUICE_CHECK(check_center(*job.center, plan));
        head.center = {job.center->row, job.center->col};
        job.rings = rings_about(scan, *job.center);
        job.ring_count = *std::ranges::max_element(job.rings) + index{1};
        auto const halves = static_cast<std::size_t>(job.ring_count / 2 + 1);
        head.below.resize(halves), head.own.resize(halves);
    } else {
        made.notes.push_back(fmt::format("there are no sums over rings: {}; give their --center",
                                         disk.error().message));
    }
    auto const memory = static_cast<double>(scan.options().memory ? scan.options().memory
                                                                  : store::memory_to_spare());
    Needs const needs = needs_of(plan, job.ring_count, options.device.threads());
    if (needs.rings > memory / 2)
        return Error{Code::out_of_memory,
                     fmt::format("sums over {} rings take {:.3g} GB at a time (half of {:.3g} GB "
                                 "may be taken); use fewer --threads, or bin the detector",
                                 job.ring_count, needs.rings / 1e9, memory / 1e9)};
    job.patterns = needs.rings + needs.squares <= memory / 2;
    if (!job.patterns)
        made.notes.push_back(
            "there are no patterns: those that are filled at a time would take "
            "more than half of the memory");
    return job;
}

Status pass(Scan const& scan, TablesOptions const& options, Job& job, TableSink& sink) {
    store::Plan const& plan = scan.plan();
    Compiled const all = compile_all(plan.grid(), scan.bad_pixels());
    std::vector<std::uint8_t> bad = plan.bad;
    bad.resize(static_cast<std::size_t>(plan.pixels()));
    std::optional<RingMasks> masks;
    if (job.center)
        masks.emplace(job.rings, bad, plan.grid(), static_cast<std::size_t>(job.ring_count));
    TableUnits const units{plan,           all,          masks ? &*masks : nullptr,
                           job.ring_count, job.patterns, options.device};
    fold::FoldOptions fold{.device = options.device,
                           .batch = TableUnits::batch,
                           .progress = options.progress,
                           .trace = options.trace,
                           .tally = &job.head.tally};
    if (scan.resident()) job.head.tally = scan.resident_store()->tally();
    fold::ScanUnits const source(scan, fold);
    return fold::fold_groups(
        source, units, {0, source.groups()}, fold::run_options(scan, fold),
        [&](index, TableUnits::Partial const& partial) { return sink.take(partial); });
}

// A scan that was written meanwhile would have sums of neither state.
Status check_unchanged(Scan const& scan, TablesKey const& before) {
    SLUICE_TRY(auto const now, tables_key(scan.dataset(), scan.plan(), scan.options()));
    std::string why = difference(before, now);
    if (why.empty()) why = changed_since(scan.dataset(), scan.plan().made_at);
    if (why.empty()) return {};
    return Error{
        Code::io,
        fmt::format("changed while it was read ({}); make the tables when it is whole", why),
        scan.dataset().path};
}

}  // namespace

Result<TablesMade> tables(Scan const& scan, TablesOptions const& options) {
    SLUICE_CHECK(check_scan(scan, options.device));
    TablesMade made;
    made.file = options.out.empty() ? TablesFile::usual_path(scan.dataset()) : options.out;
    SLUICE_CHECK(check_place(made.file, scan.dataset(), options.out_option));
    // A scan in memory has the frames of then.
    std::string const changed = changed_since(scan.dataset(), scan.plan().made_at);
    if (!changed.empty())
        return Error{Code::io,
                     fmt::format("has changed since it was opened ({}); open it again", changed),
                     scan.dataset().path};
    SLUICE_TRY(Job job, prepare(scan, options, made));
    TablesHead& head = job.head;
    PatternSums const squares = PatternSums::empty(scan.plan());
    for (std::size_t level = 0; job.patterns && level < head.squares.size(); ++level)
        head.squares[level].resize(static_cast<std::size_t>(squares.squares(level)));
    // Before the pass, so that it does not end in a folder that cannot be written.
    auto file = TablesWriter::create(made.file, head);
    if (!file) return options.out.empty() ? beside(file.error(), options.out_option) : file.error();
    SLUICE_TRY(ScratchFile scratch,
               ScratchFile::create(fs::path(made.file).parent_path().string()));
    TableSink sink(scan.plan(), squares, job.ring_count, job.patterns, std::move(scratch));
    SLUICE_CHECK(pass(scan, options, job, sink));
    if (job.center) {
        SLUICE_TRY(head.rings, file->add(std::as_bytes(std::span(job.rings))));
    }
    SLUICE_CHECK(sink.write(*file, head));
    SLUICE_CHECK(check_unchanged(scan, head.key));
    pause_at("tables written");
    SLUICE_CHECK(file->commit(head));
    made.center = job.center;
    made.patterns = job.patterns;
    std::error_code ignored;
    auto const bytes = fs::file_size(made.file, ignored);
    made.bytes = ignored ? 0 : bytes;
    std::vector<std::string> const of_scan = scan.notes();
    made.notes.insert(made.notes.end(), of_scan.begin(), of_scan.end());
    fold::describe(head.tally, scan.dataset(), made.notes);
    return made;
}

}  // namespace sluice::stem4d
