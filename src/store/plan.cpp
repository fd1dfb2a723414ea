// Makes a Plan.
// SPDX-License-Identifier: Apache-2.0
#include "store/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "base/memory.h"
#include "base/plural.h"
#include "format/frame_source.h"
#include "store/arena.h"

namespace sluice::store {
namespace {

Result<Region> checked(std::optional<Region> const& wanted, index rows, index cols,
                       std::string_view what) {
    Region const r = wanted.value_or(Region{0, 0, rows, cols});
    if (r.row < 0 || r.col < 0 || r.rows < 1 || r.cols < 1 || r.rows > rows || r.cols > cols ||
        r.row > rows - r.rows || r.col > cols - r.cols)
        return Error{
            Code::invalid_argument,
            fmt::format("{} region rows {}:{}, columns {}:{} (the {} is {}x{}); choose one "
                        "inside",
                        what, r.row, r.row + r.rows, r.col, r.col + r.cols, what, rows, cols)};
    return r;
}

// Bits 0-15 of NXdetector's mask make a pixel useless; bit 31 only says "interpolated".
void mask_pixels(Plan& plan, Dataset const& dataset, LoadOptions const& options,
                 std::span<std::uint32_t const> hot) {
    std::size_t from_file = 0, from_user = 0;
    for (index i = 0; i < dataset.pixels(); ++i) {
        auto const at = static_cast<std::size_t>(i);
        bool const file = options.pixel_mask && !dataset.pixel_mask.empty() &&
                          (dataset.pixel_mask[at] & 0xffff) != 0;
        bool const user = !options.user_mask.values.empty() && options.user_mask.values[at] != 0;
        from_file += file;
        from_user += user && !file;
        bool const is_hot = std::ranges::binary_search(hot, static_cast<std::uint32_t>(i));
        if (file || user || is_hot) plan.rules.bad.push_back(static_cast<std::uint32_t>(i));
    }
    if (from_file)
        plan.notes.push_back(plural(from_file, "pixel") + " left out by the file's pixel mask");
    if (from_user)
        plan.notes.push_back(plural(from_user, "pixel") + " left out by the user's mask");
    if (!options.pixel_mask && !dataset.pixel_mask.empty())
        plan.notes.push_back("the file's pixel mask was not used, as asked");
}

void count_valid(Plan& plan) {
    plan.valid.assign(static_cast<std::size_t>(plan.pixels()), 0);
    Region const d = plan.detector_region;
    auto bad = plan.rules.bad.begin();
    index touched = 0;
    std::vector<std::uint32_t> full(plan.valid.size(), 0);
    for (index r = d.row; r < d.row + d.rows; ++r)
        for (index c = d.col; c < d.col + d.cols; ++c) {
            index const row = (r - d.row) / plan.det_bin, col = (c - d.col) / plan.det_bin;
            auto const pixel = static_cast<std::uint32_t>(r * plan.stored.cols + c);
            bad = std::lower_bound(bad, plan.rules.bad.end(), pixel);
            bool const good = bad == plan.rules.bad.end() || *bad != pixel;
            if (row >= plan.rows || col >= plan.cols) continue;
            auto const at = static_cast<std::size_t>(row * plan.cols + col);
            ++full[at];
            plan.valid[at] += good;
        }
    for (std::size_t i = 0; i < full.size(); ++i) {
        touched += plan.valid[i] != full[i];
        plan.bad.push_back(plan.valid[i] == 0);
    }
    if (plan.det_bin > 1 && touched)
        plan.notes.push_back(fmt::format(
            "{} masked ones: {}", plural(touched, "binned pixel contains", "binned pixels contain"),
            plan.mode == BinMode::sum ? "their sums are of the valid pixels alone"
                                      : "their means are over the valid pixels"));
}

std::uint64_t estimate(Plan const& plan, index det_bin) {
    index const rows = plan.detector_region.rows / det_bin,
                cols = plan.detector_region.cols / det_bin;
    index const bytes = det_bin == 1 ? size_of(plan.stored.dtype) : 4;
    return static_cast<std::uint64_t>(plan.frames() * rows * cols * bytes);
}

/// "row", "3 rows".
std::string counted(index n, std::string_view thing) {
    return n == 1 ? std::string(thing) : fmt::format("{} {}s", n, thing);
}

/// Says which rows and columns do not fill a bin.
void note_unfilled(Region const& region, index bin, std::string_view side, std::string_view advice,
                   std::vector<std::string>& notes) {
    index const rows = region.rows % bin, cols = region.cols % bin;
    std::vector<std::string> last;
    if (rows > 0) last.push_back(counted(rows, "row"));
    if (cols > 0) last.push_back(counted(cols, "column"));
    if (last.empty()) return;
    notes.push_back(fmt::format("the last {} of {}x{} of {} do not fill a bin of {}x{}: left out{}",
                                fmt::join(last, " and "), region.rows, region.cols, side, bin, bin,
                                advice));
}

}  // namespace

Result<Plan> make_plan(Dataset const& dataset, LoadOptions const& options,
                       std::span<std::uint32_t const> hot) {
    Plan plan;
    plan.made_at = std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
    plan.stored = {dataset.rows, dataset.cols, dataset.dtype};
    plan.scan_cols_stored = dataset.scan[1];
    plan.mode = options.bin_mode;
    if (dataset.rows < 1 || dataset.cols < 1 || dataset.rows > 65536 || dataset.cols > 65536)
        return Error{Code::unsupported,
                     fmt::format("detector of {}x{} pixels (1 to 65536 each way can be read)",
                                 dataset.rows, dataset.cols),
                     dataset.path};
    if (!options.user_mask.values.empty() &&
        options.user_mask.shape != std::vector<index>{dataset.rows, dataset.cols})
        return Error{
            Code::invalid_argument,
            fmt::format("mask of {}x{} pixels (the detector has {}x{}); give one of the same "
                        "shape",
                        options.user_mask.shape.front(), options.user_mask.shape.back(),
                        dataset.rows, dataset.cols)};
    if (options.det_bin < 0 || options.det_bin > 65536 || options.scan_bin < 1 ||
        options.scan_bin > 65536)
        return Error{Code::invalid_argument,
                     "binning must be 1 to 65536 (0 for the detector: auto)"};
    if (options.scan_step < 1 || options.scan_step > 65536)
        return Error{Code::invalid_argument,
                     fmt::format("scan step {} (must be 1 to 65536)", options.scan_step)};
    if (options.scan_step > 1 && options.scan_bin > 1)
        return Error{Code::invalid_argument,
                     fmt::format("scan step {} with scan binning {} (it could mean bins of "
                                 "neighbours or of every {}th point); use one of them",
                                 options.scan_step, options.scan_bin, options.scan_step)};
    if (!(options.detector_step_mrad >= 0 && options.detector_step_mrad <= 1000))
        return Error{Code::invalid_argument,
                     fmt::format("a detector pixel of {:g} mrad (must be 0 to 1000; 0: as the file "
                                 "states it)",
                                 options.detector_step_mrad)};
    SLUICE_TRY(plan.scan_region,
               checked(options.scan_region, dataset.scan[0], dataset.scan[1], "scan"));
    SLUICE_TRY(plan.detector_region,
               checked(options.detector_region, dataset.rows, dataset.cols, "detector"));
    plan.scan_bin = options.scan_bin;
    plan.scan_step = options.scan_step;
    index const up_scan = plan.scan_step - 1;
    plan.scan = {(plan.scan_region.rows / plan.scan_bin + up_scan) / plan.scan_step,
                 (plan.scan_region.cols / plan.scan_bin + up_scan) / plan.scan_step};
    if (plan.frames() == 0)
        return Error{Code::invalid_argument,
                     fmt::format("scan binning by {} leaves nothing of {}x{} scan points",
                                 plan.scan_bin, plan.scan_region.rows, plan.scan_region.cols)};
    plan.det_bin = options.det_bin;
    if (options.det_bin == 0) {
        std::uint64_t const memory = options.memory ? options.memory : memory_to_spare();
        plan.det_bin = 1;
        while (plan.det_bin < 8 &&
               estimate(plan, plan.det_bin) * static_cast<std::uint64_t>(options.share) > memory)
            plan.det_bin *= 2;
        plan.notes.push_back(fmt::format("detector binning {} chosen for {:.2f} GB of memory",
                                         plan.det_bin, static_cast<double>(memory) / 1e9));
    }
    index const up = options.bin_edge == BinEdge::partial ? plan.det_bin - 1 : 0;
    plan.rows = (plan.detector_region.rows + up) / plan.det_bin;
    plan.cols = (plan.detector_region.cols + up) / plan.det_bin;
    if (plan.pixels() == 0)
        return Error{
            Code::invalid_argument,
            fmt::format("detector binning by {} leaves nothing of {}x{} pixels", plan.det_bin,
                        plan.detector_region.rows, plan.detector_region.cols)};
    plan.dtype = plan.stored.dtype;
    if (plan.det_bin > 1 || plan.scan_bin > 1)
        plan.dtype =
            plan.mode == BinMode::mean || plan.dtype == DType::f32 ? DType::f32 : DType::u32;
    if (options.as_stored) {
        plan.rules.keep_not_finite = true;
        plan.notes.push_back("all values are kept as they are stored, as asked");
    } else {
        mask_pixels(plan, dataset, options, hot);
        plan.rules.sentinel = dataset.sentinel && dataset.dtype != DType::f32;
        plan.rules.saturation = dataset.saturation;
    }
    if (plan.det_bin > 1 || plan.scan_bin > 1)
        plan.notes.push_back(fmt::format("binned: detector {}x{}, scan {}x{}, {}", plan.det_bin,
                                         plan.det_bin, plan.scan_bin, plan.scan_bin,
                                         plan.mode == BinMode::sum ? "sums" : "means"));
    note_unfilled(plan.scan_region, plan.scan_bin, "the scan", "", plan.notes);
    if (options.bin_edge == BinEdge::floor)
        note_unfilled(plan.detector_region, plan.det_bin, "the detector",
                      " (--bin-edge partial keeps them)", plan.notes);
    if (plan.scan_step > 1)
        plan.notes.push_back(fmt::format("one of {}x{} scan points was read, as asked",
                                         plan.scan_step, plan.scan_step));
    count_valid(plan);
    find_lost(plan, dataset);
    return plan;
}

// A sum over scan points that lacks one would pass for a darker place, and counts as lost, too. A
// mean is over the others.
void find_lost(Plan& plan, Dataset const& dataset, std::string_view why) {
    auto const& runs = dataset.missing_runs;
    if (runs.empty()) return;
    auto const is_lost = [&](index stored) {
        auto const after = std::ranges::upper_bound(runs, stored, {}, &FrameRun::first);
        return after != runs.begin() && stored < std::prev(after)->first + std::prev(after)->count;
    };
    index lost = 0;
    plan.lost.resize(static_cast<std::size_t>(plan.frames()));
    for (index f = 0; f < plan.frames(); ++f) {
        auto& it = plan.lost[static_cast<std::size_t>(f)];
        index const parts = plan.scan_bin * plan.scan_bin;
        index missing = 0;
        for (index part = 0; part < parts; ++part) missing += is_lost(plan.stored_frame(f, part));
        it = plan.mode == BinMode::mean ? missing == parts : missing > 0;
        lost += it;
    }
    if (lost == 0) return plan.lost.clear();
    plan.notes.push_back(
        fmt::format("{} of {} scan points were not measured ({}): no result uses them", lost,
                    plan.frames(), why));
}

std::uint64_t Plan::bytes_to_read(Dataset const& dataset, index units) const {
    double const part = static_cast<double>(frames() * scan_bin * scan_bin) /
                        static_cast<double>(dataset.frames) * static_cast<double>(units) /
                        static_cast<double>(tiles());
    return static_cast<std::uint64_t>(part * static_cast<double>(dataset.source->stored_bytes()));
}

std::uint64_t memory_to_spare() {
    return (memory_available() + Arena::kept_bytes()) / 10 * 6;
}

}  // namespace sluice::store
