// Centre of mass of every frame: the mask before the pass over the data, divisions after it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "domain/stem4d/concentric.h"
#include "domain/stem4d/moment_frames.h"
#include "domain/stem4d/pixel_references.h"
#include "domain/stem4d/product.h"
#include "domain/stem4d/sum_frames.h"
#include "scan/describe.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

// Why frames of these sums have no centre of mass; empty where each has one.
std::vector<Missing> reasons_of(std::vector<double> const& sums) {
    std::vector<Missing> reasons(sums.size());
    for (std::size_t f = 0; f < sums.size(); ++f)
        if (!(sums[f] > 0))
            reasons[f] = sums[f] == sums[f] ? Missing::no_counts : Missing::not_measured;
    bool const some = std::ranges::any_of(reasons, [](Missing m) { return m != Missing::no; });
    return some ? reasons : std::vector<Missing>{};
}

// The detector with its weights times the numbers of rows (axis 0) or of columns (axis 1).
Array<float> times_place(Array<float> weights, int axis) {
    index const cols = weights.shape[1];
    for (index i = 0; i < std::ssize(weights.values); ++i)
        weights.values[static_cast<std::size_t>(i)] *=
            static_cast<float>(axis == 0 ? i / cols : i % cols);
    return weights;
}

// [{sum, row, col}][frame] as [frame][{sum, row, col}].
std::vector<double> by_frames(std::vector<double> const& sums) {
    std::size_t const frames = sums.size() / 3;
    std::vector<double> out(sums.size());
    for (std::size_t f = 0; f < frames; ++f)
        for (std::size_t k = 0; k < 3; ++k) {
            double const v = sums[k * frames + f];
            // Where nothing was measured but in row or column 0, their moments are nothing.
            out[3 * f + k] = v == v || !std::isfinite(sums[f]) ? v : 0;
        }
    return out;
}

CenterOfMass divide(std::vector<double> const& moments, Scan const& scan) {
    PixelGrid const grid = pixel_grid(scan);
    auto const shape = scan.scan_shape();
    auto const zeros = Array<double>::zeros({shape[0], shape[1]});
    CenterOfMass c{.sum = {zeros, "com_sum", sum_unit(scan)},
                   .row = {zeros, "com_row", "px"},
                   .col = {zeros, "com_col", "px"},
                   .reference = {},
                   .magnitude = {zeros, "com_magnitude", "px"},
                   .notes = {}};
    c.sum.counts = c.sum.unit == "counts" && scan.dtype() != DType::f32;
    double n = 0;
    for (std::size_t f = 0; f < c.sum.values.size(); ++f) {
        double const sum = moments[3 * f];
        c.sum.values[f] = sum;
        // Less than nothing, as after a subtracted background, has no centre.
        bool const some = sum > 0;
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        Point const at = grid.to_detector(
            {some ? moments[3 * f + 1] / sum : nan, some ? moments[3 * f + 2] / sum : nan});
        c.row.values[f] = at.row, c.col.values[f] = at.col;
        if (!some) continue;
        c.reference.row += c.row.values[f];
        c.reference.col += c.col.values[f];
        ++n;
    }
    if (n > 0) c.reference.row /= n, c.reference.col /= n;
    for (std::size_t f = 0; f < c.sum.values.size(); ++f)
        c.magnitude.values[f] =
            std::hypot(c.row.values[f] - c.reference.row, c.col.values[f] - c.reference.col);
    // A sum of 0 is a value, and not a missing one.
    c.sum.reason = make_map({}, {}, {c.sum.shape, c.sum.values}, Missing::not_measured).reason;
    c.row.reason = c.col.reason = c.magnitude.reason = reasons_of(c.sum.values);
    return c;
}

// Positions whose negative values drive the centre of mass off the pixels that were read.
index count_outside(Scan const& scan, CenterOfMass const& c) {
    PixelGrid const grid = pixel_grid(scan);
    auto const [rows, cols] = scan.detector_shape();
    auto const within = [](double v, index n) {
        return v >= -0.5 && v <= static_cast<double>(n) - 0.5;
    };
    index outside = 0;
    for (std::size_t f = 0; f < c.sum.values.size(); ++f) {
        Point const at = grid.to_array({c.row.values[f], c.col.values[f]});
        outside += at.row == at.row && !(within(at.row, rows) && within(at.col, cols));
    }
    return outside;
}

void describe_coordinates(Scan const& scan, CenterOfMass& out) {
    index const empty = std::ranges::count_if(out.sum.values, [](double v) { return v <= 0; });
    index const lost = std::ranges::count_if(out.sum.values, [](double v) { return v != v; });
    if (lost > 0)
        out.notes.push_back(fmt::format(
            "{} of {} positions were not measured: their sum and centre of mass are NaN", lost,
            out.sum.size()));
    if (empty > 0)
        out.notes.push_back(
            fmt::format("{} of {} positions have no counts (their sum is not above 0): "
                        "their centre of mass is NaN",
                        empty, out.sum.size()));
    if (index const outside = count_outside(scan, out); outside > 0)
        out.notes.push_back(
            fmt::format("{} of {} positions have their centre of mass outside of the detector "
                        "(negative values drive it there); set those to 0 before",
                        outside, out.sum.size()));
    store::Plan const& plan = scan.plan();
    if (plan.rows * plan.det_bin > plan.detector_region.rows ||
        plan.cols * plan.det_bin > plan.detector_region.cols)
        out.notes.push_back(
            "the bins at the far edges are smaller; their counts are taken at the middle of a "
            "whole bin");
}

/// Centres of mass.
class MomentProduct final : public Product {
  public:
    Status begin(Scan const& scan, std::optional<Detector> const& mask, Options const& options);
    /// Sums of corrected values take the place of the moments of counts.
    Status correct(Scan const& scan, Array<float> const& weights,
                   PixelReferences const& references);

    fold::AnyAnalysis<store::Unit> analysis(Scan const& scan, Device const& device) const override {
        if (!corrected_.empty()) return SumFrames{corrected_, device, scan.plan().frames()};
        return MomentFrames{compiled_, device, scan.plan().grid(), scan.plan().frames()};
    }
    index batch(Scan const&) const override {
        return corrected_.empty() ? MomentFrames::batch : SumFrames::batch;
    }
    void leave_out(Scan const& scan, fold::FoldOptions& pass) const override {
        // Weights look at all blocks.
        if (!corrected_.empty()) return;
        pass.need = blocks_needed({&compiled_, 1}, scan.plan().grid());
    }
    Result<bool> from_tables(ScanTables& tables, Scan const& scan, bool alone,
                             Options const& options, std::any& found) const override;
    Status remote(RemoteScan& remote, Scan const& scan, std::any& found) const override {
        if (!corrected_.empty()) {
            SLUICE_TRY(found, remote.sums(corrected_, scan.plan().frames()));
            return {};
        }
        std::vector<double> moments(static_cast<std::size_t>(3 * scan.plan().frames()));
        SLUICE_CHECK(remote.moments(compiled_, moments));
        found = std::move(moments);
        return {};
    }
    void finish(std::any found, Scan const& scan, store::Tally const& tally, Options const& options,
                Products& out) override;

  private:
    CenterOfMass made_ = {};
    Compiled compiled_ = {};
    std::vector<Compiled> corrected_ = {};  ///< for sum, row and column; empty: no references
};

Status MomentProduct::begin(Scan const& scan, std::optional<Detector> const& mask,
                            Options const& options) {
    made_.notes = scan.notes();
    PixelReferences const references = pixel_references(scan, options.references);
    if (!mask && references.any()) {
        auto const [rows, cols] = scan.detector_shape();
        Array<float> all = Array<float>::zeros({rows, cols});
        std::ranges::fill(all.values, 1.0F);
        return correct(scan, all, references);
    }
    if (!mask) {
        compiled_ = compile_all(scan.plan().grid(), scan.bad_pixels());
        return {};
    }
    if (needs_disk(*mask)) made_.disk = options.disk;
    SLUICE_TRY(Array<float> const weights,
               rasterize(scan, *mask, made_.disk.value_or(Disk{}), &made_.notes));
    compiled_ = compile(weights, scan.bad_pixels());
    if (compiled_.weighted)
        return Error{Code::invalid_argument,
                     "a centre of mass needs a mask of pixels (this detector has weights); give a "
                     "detector without weights"};
    return references.any() ? correct(scan, weights, references) : Status{};
}

Status MomentProduct::correct(Scan const& scan, Array<float> const& weights,
                              PixelReferences const& references) {
    std::vector<std::uint8_t> const bad = scan.bad_pixels();
    corrected_.push_back(compile(weights, bad, references));
    if (corrected_[0].valid == 0)
        return Error{Code::invalid_argument,
                     "the mask of the centre of mass covers no pixel that counts (the gain of "
                     "each is 0, which leaves it out); move or enlarge it"};
    for (int const axis : {0, 1})
        corrected_.push_back(compile(times_place(weights, axis), bad, references));
    return {};
}

Result<bool> MomentProduct::from_tables(ScanTables& tables, Scan const& scan, bool,
                                        Options const& options, std::any& found) const {
    if (!corrected_.empty() || !is_whole(compiled_, scan.plan())) return false;
    Step const step(options.trace, Phase::tables, 0);
    std::vector<double> moments;
    moments.reserve(3 * tables.moments().size());
    for (planes::Moment const& m : tables.moments())
        for (std::uint64_t const v : {m.sum, m.row, m.col})
            moments.push_back(static_cast<double>(v));
    found = std::move(moments);
    return true;
}

void MomentProduct::finish(std::any found, Scan const& scan, store::Tally const& tally,
                           Options const& options, Products& out) {
    std::vector<double>& moments = *std::any_cast<std::vector<double>>(&found);
    if (!corrected_.empty()) moments = by_frames(moments);
    mark_lost(scan.plan(), 3, moments);
    CenterOfMass& c = out.center_of_mass;
    c = divide(moments, scan);
    c.disk = made_.disk;
    c.notes = std::move(made_.notes);
    fold::describe(tally, scan.dataset(), c.notes);
    if (!corrected_.empty()) {
        c.sum.counts = false;
        add_notes(scan, options.references, c.disk, c.notes);
    }
    describe_coordinates(scan, c);
}

}  // namespace

Status add_moments(Scan const& scan, Wanted const& wanted, Options const& options,
                   ProductList& list) {
    if (!wanted.center_of_mass) return {};
    auto moments = std::make_unique<MomentProduct>();
    SLUICE_CHECK(moments->begin(scan, wanted.within, options));
    list.push_back(std::move(moments));
    return {};
}

}  // namespace sluice::stem4d
