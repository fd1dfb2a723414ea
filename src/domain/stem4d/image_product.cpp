// Virtual detectors over a scan: their masks before the pass over the data, means after it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "device/workers.h"
#include "domain/stem4d/concentric.h"
#include "domain/stem4d/pixel_references.h"
#include "domain/stem4d/pixel_runs.h"
#include "domain/stem4d/product.h"
#include "domain/stem4d/round_runs.h"
#include "domain/stem4d/sum_frames.h"
#include "domain/stem4d/sum_lines.h"
#include "scan/describe.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

// Sums of bins are sums over the stored pixels, means of bins are not.
std::uint32_t pixels_in(BinMode mode, std::uint32_t valid) {
    return mode == BinMode::sum ? valid : valid != 0;
}

// What a mean divides by.
double pixels_counted(Array<float> const& weights, store::Plan const& plan) {
    std::uint64_t n = 0;
    BinMode const mode = plan.mode;
    for (std::size_t i = 0; i < weights.values.size(); ++i) {
        std::uint32_t const pixels = pixels_in(mode, plan.valid[i]);
        n += weights.values[i] != 0 ? pixels : 0;
    }
    return static_cast<double>(n);
}

std::vector<float> shares_of(Array<float> const& weights, store::Plan const& plan) {
    std::vector<float> out(weights.values.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] =
            std::abs(weights.values[i]) * static_cast<float>(pixels_in(plan.mode, plan.valid[i]));
    return out;
}

/// A detector on a scan: its mask, and what is to be said of it.
struct Placed {
    Compiled compiled = {};
    double pixels = 0;
    std::vector<std::string> notes = {};
    std::optional<Error> error = {};
};

// Whether all pixels of the runs count once: in masks every finite number does, in weights only 1.
bool count_once(Detector const& d, std::span<dense::Run const> runs, index cols) {
    bool const mask = d.shape == Detector::Shape::mask;
    return std::ranges::none_of(runs, [&](dense::Run const& run) {
        float const* const row = d.pixels.data() + run.row * cols + run.col;
        int others = 0;  // counted without an early end, several at a time
        for (index i = 0; i < run.count; ++i)
            others += mask ? !(std::abs(row[i]) <= std::numeric_limits<float>::max()) : row[i] != 1;
        return others > 0;
    });
}

// The runs of a detector. Empty: place() must look at every pixel.
std::vector<dense::Run> runs_of(Scan const& scan, Detector const& d, Disk const& disk) {
    using Shape = Detector::Shape;
    auto const [rows, cols] = scan.detector_shape();
    if (d.shape == Shape::disk || d.shape == Shape::annulus) {
        if (d.unit == Detector::Unit::mrad) return {};
        PixelGrid const grid = pixel_grid(scan);
        return round_runs(to_array(d, grid), {rows, cols}, to_array(disk, grid));
    }
    bool const fits = d.from.row == static_cast<double>(rows) &&
                      d.from.col == static_cast<double>(cols) &&
                      std::ssize(d.pixels) == rows * cols;
    if ((d.shape != Shape::mask && d.shape != Shape::weights) || !fits) return {};
    auto runs = pixel_runs(d.pixels, {rows, cols});
    if (!count_once(d, runs, cols)) return {};
    return runs;
}

// Disks, annuli and masks of counts, which a drag asks for, as stretches of rows. Empty: every
// pixel is looked at, also to say what is wrong.
std::optional<Placed> place_runs(Scan const& scan, Detector const& d, Disk const& disk,
                                 std::span<std::uint8_t const> bad) {
    auto const runs = runs_of(scan, d, disk);
    if (runs.empty()) return {};
    store::Plan const& plan = scan.plan();
    Placed p;
    p.compiled = compile(runs, plan.grid(), bad);
    if (p.compiled.valid == 0) return {};
    // A sum over bins is one over all the pixels in them that count.
    p.pixels = p.compiled.valid;
    if (plan.det_bin == 1 || plan.mode != BinMode::sum) return p;
    std::uint64_t pixels = 0;
    for (dense::Run const& run : p.compiled.runs)
        for (index i = run.row * plan.cols + run.col, end = i + run.count; i < end; ++i)
            pixels += plan.valid[static_cast<std::size_t>(i)];
    p.pixels = static_cast<double>(pixels);
    return p;
}

Placed place(Scan const& scan, Detector const& d, Disk const& disk,
             std::span<std::uint8_t const> bad, PixelReferences const& references, bool mean) {
    bool const shares = mean && scan.dtype() == DType::f32;
    if (!references.any() && !shares)
        if (auto found = place_runs(scan, d, disk, bad)) return std::move(*found);
    Placed p;
    auto weights = rasterize(scan, d, disk, &p.notes);
    if (!weights) {
        p.error = weights.error();
        return p;
    }
    for (std::size_t i = 0; i < references.gain.size(); ++i)
        if (references.gain[i] == 0) weights->values[i] = 0;
    p.compiled = compile(*weights, bad, references);
    if (references.any() && p.compiled.valid == 0)
        p.error = Error{Code::invalid_argument,
                        fmt::format("detector '{}' covers no pixel that counts (the gain of each "
                                    "is 0, which leaves it out); move or enlarge it",
                                    d.name)};
    p.pixels = pixels_counted(*weights, scan.plan());
    if (shares) p.compiled.shares = shares_of(*weights, scan.plan());
    return p;
}

/// Virtual images.
class ImageProduct final : public Product {
  public:
    Status begin(Scan const& scan, std::span<Detector const> detectors, Options const& options);

    fold::AnyAnalysis<store::Unit> analysis(Scan const& scan, Device const& device) const override {
        return SumFrames{compiled_, device, scan.plan().frames()};
    }
    index batch(Scan const&) const override { return SumFrames::batch; }
    void leave_out(Scan const& scan, fold::FoldOptions& pass) const override {
        auto const weighted = [](Compiled const& c) { return c.weighted; };
        if (std::ranges::none_of(compiled_, weighted))
            pass.need = blocks_needed(compiled_, scan.plan().grid());
    }
    Result<bool> from_tables(ScanTables& tables, Scan const& scan, bool alone,
                             Options const& options, std::any& found) const override;
    Result<bool> from_lines(ScanTables* tables, Scan const& scan, Options const& options,
                            std::any& found) const override;
    Status remote(RemoteScan& remote, Scan const& scan, std::any& found) const override;
    void finish(std::any found, Scan const& scan, store::Tally const& tally, Options const& options,
                Products& out) override;

  private:
    VirtualImages made_ = {};
    std::vector<Compiled> compiled_ = {};
    std::optional<Point> center_ = {};  ///< of whole radii, where all of them have it
};

Status ImageProduct::begin(Scan const& scan, std::span<Detector const> detectors,
                           Options const& options) {
    VirtualImages& out = made_;
    for (Detector const& d : detectors) {
        if (!d.name.empty() && std::ranges::find(out.names, d.name) != out.names.end())
            return Error{Code::invalid_argument,
                         fmt::format("two detectors are called '{}' (their images are found by "
                                     "their names); name them apart, as in a=disk:r=20",
                                     d.name)};
        out.names.push_back(d.name);
        if (needs_disk(d)) out.disk = options.disk;
    }
    std::vector<std::uint8_t> const bad = scan.bad_pixels();
    PixelReferences const references = pixel_references(scan, options.references);
    out.corrected = references.any();
    center_ = common_center(scan, detectors, out.disk.value_or(Disk{}));
    std::vector<Placed> placed(detectors.size());
    parallel_for(std::ssize(detectors), options.device.threads(), 1, [&](index i, int) {
        auto const d = static_cast<std::size_t>(i);
        placed[d] =
            place(scan, detectors[d], out.disk.value_or(Disk{}), bad, references, options.mean);
    });
    for (Placed& p : placed) {
        if (p.error) return *p.error;
        compiled_.push_back(std::move(p.compiled));
        out.valid_pixels.push_back(p.pixels);
        out.notes.insert(out.notes.end(), p.notes.begin(), p.notes.end());
    }
    auto const shape = scan.scan_shape();
    out.values.shape = {std::ssize(detectors), shape[0], shape[1]};
    return {};
}

Result<bool> ImageProduct::from_tables(ScanTables& tables, Scan const& scan, bool alone,
                                       Options const& options, std::any& found) const {
    auto sums =
        sums_from_tables(tables, scan, compiled_, center_, {options.device, options.trace, alone});
    if (!sums) return false;
    found = std::move(*sums);
    return true;
}

Result<bool> ImageProduct::from_lines(ScanTables* tables, Scan const& scan, Options const& options,
                                      std::any& found) const {
    auto sums = sums_from_lines(scan.resident_store(), tables, compiled_, options);
    if (!sums) return false;
    found = std::move(*sums);
    return true;
}

Status ImageProduct::remote(RemoteScan& remote, Scan const& scan, std::any& found) const {
    SLUICE_TRY(found, remote.sums(compiled_, scan.plan().frames()));
    return {};
}

void ImageProduct::finish(std::any found, Scan const& scan, store::Tally const& tally,
                          Options const& options, Products& out) {
    out.images = std::move(made_);
    VirtualImages& images = out.images;
    images.values.values = std::move(*std::any_cast<std::vector<double>>(&found));
    mark_lost(scan.plan(), 1, images.values.values);
    std::vector<std::string> const of_scan = scan.notes();
    images.notes.insert(images.notes.end(), of_scan.begin(), of_scan.end());
    fold::describe(tally, scan.dataset(), images.notes);
    if (images.corrected) add_notes(scan, options.references, images.disk, images.notes);
    if (!options.mean) return;
    auto const frames = static_cast<std::size_t>(scan.plan().frames());
    for (std::size_t d = 0; d < images.valid_pixels.size(); ++d)
        for (double& value : std::span(images.values.values).subspan(d * frames, frames))
            value /= images.valid_pixels[d];
}

}  // namespace

void mark_lost(store::Plan const& plan, index each, std::span<double> numbers) {
    if (plan.lost.empty()) return;
    auto const width = static_cast<std::size_t>(each);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (plan.lost[i / width % plan.lost.size()])
            numbers[i] = std::numeric_limits<double>::quiet_NaN();
}

Status add_images(Scan const& scan, Wanted const& wanted, Options const& options,
                  ProductList& list) {
    if (wanted.detectors.empty()) return {};
    auto images = std::make_unique<ImageProduct>();
    SLUICE_CHECK(images->begin(scan, wanted.detectors, options));
    list.push_back(std::move(images));
    return {};
}

}  // namespace sluice::stem4d
