// Centre of mass of every frame: the mask before the pass over the data, divisions after it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "base/missing.h"
#include "device/workers.h"
#include "domain/stem4d/concentric.h"
#include "domain/stem4d/moment_frames.h"
#include "domain/stem4d/pixel_references.h"
#include "domain/stem4d/product.h"
#include "domain/stem4d/sum_frames.h"
#include "domain/stem4d/sum_lines.h"
#include "kernel/tables/cpu.h"
#include "scan/describe.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

// Why frames of these sums have no centre of mass.
std::vector<Missing> reasons_of(std::vector<double> const& sums) {
    std::vector<Missing> reasons(sums.size());
    for (std::size_t f = 0; f < sums.size(); ++f)
        if (!(sums[f] > 0))
            reasons[f] = sums[f] == sums[f] ? Missing::no_counts : Missing::not_measured;
    return reasons;
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

constexpr index part_frames = 4096;  // however many threads there are, so that sums stay the same

/// The frames from `first` on, and where their centres go.
tables::Centers part_of(CenterOfMass& c, PixelGrid const& grid, std::size_t first) {
    return {grid.origin.row,
            grid.origin.col,
            grid.bin,
            c.sum.values.data() + first,
            c.row.values.data() + first,
            c.col.values.data() + first};
}

// As the kernel does it, of sums that may be less than nothing or not measured: [frame][{sum, row,
// col}].
void divide_part(std::span<double const> moments, tables::Centers& out) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr std::size_t lanes = 8;
    double rows[lanes] = {}, cols[lanes] = {};
    for (std::size_t i = 0; i < moments.size() / 3; ++i) {
        double const sum = moments[3 * i];
        out.sum[i] = sum;
        out.row[i] = out.col[i] = nan;
        if (!(sum > 0)) continue;
        out.row[i] = out.row_origin + out.bin * (moments[3 * i + 1] / sum);
        out.col[i] = out.col_origin + out.bin * (moments[3 * i + 2] / sum);
        rows[i % lanes] += out.row[i], cols[i % lanes] += out.col[i];
        ++out.count;
    }
    for (std::size_t k = 0; k < lanes; ++k) out.row_total += rows[k], out.col_total += cols[k];
}

void measure_magnitude(CenterOfMass& c, index first, index last) {
    for (index i = first; i < last; ++i) {
        auto const f = static_cast<std::size_t>(i);
        double const row = c.row.values[f] - c.reference.row;
        double const col = c.col.values[f] - c.reference.col;
        c.magnitude.values[f] = std::sqrt(row * row + col * col);
    }
}

/// [frame], or as double[frame][3].
using Found = std::variant<std::span<planes::Moment const>, std::span<double const>>;

void divide_part(Found const& found, std::size_t first, std::size_t count, Isa isa,
                 tables::Centers& out) {
    if (auto const* const counts = std::get_if<0>(&found))
        tables::cpu_kernels(isa).centers(counts->data() + first, count, out);
    else
        divide_part(std::get<1>(found).subspan(3 * first, 3 * count), out);
}

CenterOfMass divide(Found const& found, Scan const& scan, Device const& device) {
    PixelGrid const grid = pixel_grid(scan);
    auto const shape = scan.scan_shape();
    auto const map = [&](char const* name, std::string unit) {
        return ScanMap{Array<double>::zeros({shape[0], shape[1]}), name, std::move(unit)};
    };
    CenterOfMass c{.sum = map("com_sum", sum_unit(scan)),
                   .row = map("com_row", "px"),
                   .col = map("com_col", "px"),
                   .reference = {},
                   .magnitude = map("com_magnitude", "px"),
                   .notes = {}};
    c.sum.counts = c.sum.unit == "counts" && scan.dtype() != DType::f32;
    index const frames = c.sum.size();
    std::vector<tables::Centers> parts;
    for (index first = 0; first < frames; first += part_frames)
        parts.push_back(part_of(c, grid, static_cast<std::size_t>(first)));
    auto const each = [&](auto const& work) {
        parallel_for(std::ssize(parts), device.threads(), 1, [&](index p, int) {
            index const first = p * part_frames;
            work(static_cast<std::size_t>(p), first, std::min(first + part_frames, frames));
        });
    };
    each([&](std::size_t p, index first, index last) {
        divide_part(found, static_cast<std::size_t>(first), static_cast<std::size_t>(last - first),
                    device.isa(), parts[p]);
    });
    double row = 0, col = 0;
    index centers = 0;
    for (tables::Centers const& p : parts)
        row += p.row_total, col += p.col_total, centers += p.count;
    auto const n = static_cast<double>(centers);
    if (centers > 0) c.reference = {row / n, col / n};
    each([&](std::size_t, index first, index last) { measure_magnitude(c, first, last); });
    if (centers == frames) return c;
    // A sum of 0 is a value, and not a missing one.
    c.sum.reason = missing_of(c.sum.values, Missing::not_measured);
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

void describe_coordinates(Scan const& scan, CenterOfMass& out, bool may_be_negative) {
    auto const& why = out.row.reason;
    index const empty = std::ranges::count(why, Missing::no_counts);
    index const lost = std::ranges::count(why, Missing::not_measured);
    if (lost > 0)
        out.notes.push_back(fmt::format(
            "{} of {} positions were not measured: their sum and centre of mass are NaN", lost,
            out.sum.size()));
    if (empty > 0)
        out.notes.push_back(
            fmt::format("{} of {} positions have no counts (their sum is not above 0): "
                        "their centre of mass is NaN",
                        empty, out.sum.size()));
    index const outside = may_be_negative ? count_outside(scan, out) : 0;
    if (outside > 0)
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
    Result<bool> from_lines(ScanTables* tables, Scan const& scan, Options const& options,
                            std::any& found) const override;
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
    if (!corrected_.empty() || !WholeMask(scan.plan())(compiled_)) return false;
    Step const step(options.trace, Phase::tables, 0);
    auto const kept = tables.moments();
    if (kept.empty()) return false;
    // They are as they are kept, unless some frames lack.
    if (scan.plan().lost.empty()) {
        found = kept;
        return true;
    }
    std::vector<double> moments;
    moments.reserve(3 * kept.size());
    for (planes::Moment const& m : kept)
        for (std::uint64_t const v : {m.sum, m.row, m.col})
            moments.push_back(static_cast<double>(v));
    found = std::move(moments);
    return true;
}

Result<bool> MomentProduct::from_lines(ScanTables* tables, Scan const& scan, Options const& options,
                                       std::any& found) const {
    if (!corrected_.empty()) return false;
    auto moments = moments_from_lines(scan.resident_store(), tables, compiled_, options);
    if (!moments) return false;
    found = std::move(*moments);
    return true;
}

void MomentProduct::finish(std::any found, Scan const& scan, store::Tally const& tally,
                           Options const& options, Products& out) {
    Found moments;
    if (auto* const sums = std::any_cast<std::vector<double>>(&found)) {
        if (!corrected_.empty()) *sums = by_frames(*sums);
        mark_lost(scan.plan(), 3, *sums);
        moments = std::span<double const>(*sums);
    } else {
        moments = std::any_cast<std::span<planes::Moment const>>(found);
    }
    CenterOfMass& c = out.center_of_mass;
    c = divide(moments, scan, options.device);
    c.disk = made_.disk;
    c.notes = std::move(made_.notes);
    fold::describe(tally, scan.dataset(), c.notes);
    if (!corrected_.empty()) {
        c.sum.counts = false;
        add_notes(scan, options.references, c.disk, c.notes);
    }
    // Counts are not negative: their centre lies among the pixels.
    bool const negative = !corrected_.empty() || scan.chosen_layout() != Layout::planes;
    describe_coordinates(scan, c, negative);
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
