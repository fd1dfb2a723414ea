// The dose of beams on the grid of the patient.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/dose_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/memory.h"
#include "device/share_out.h"
#include "domain/proton/cube/memory.h"

namespace sluice::proton::cube {
namespace {

// What splitting changes is about what it leaves wrong, beside the march: twice as much is told.
constexpr float margin_of_error = 2;

/// A place between elements of cubes: eight weights.
class Between {
  public:
    Between(Cubes const& c, index planes, double u, double v, double plane) : columns_(c.columns) {
        double const x = (u - c.u0) / c.pixel, y = (v - c.v0) / c.pixel;
        inside_ = x >= 0 && y >= 0 && x < static_cast<double>(c.columns - 1) &&
                  y < static_cast<double>(c.rows - 1) && plane > -1 &&
                  plane < static_cast<double>(planes);
        if (!inside_) return;
        auto const whole = [](double at, float& part) {
            double const low = std::floor(at);
            part = static_cast<float>(at - low);
            return static_cast<index>(low);
        };
        at_ = whole(x, part_[0]) + whole(y, part_[1]) * columns_;
        plane_ = whole(plane, part_[2]);
    }

    float of(std::vector<std::vector<float>> const& planes) const {
        if (!inside_) return 0;
        return in_plane(planes, plane_) * (1 - part_[2]) + in_plane(planes, plane_ + 1) * part_[2];
    }

  private:
    index columns_, at_ = 0, plane_ = 0;
    float part_[3] = {};
    bool inside_ = false;

    float in_plane(std::vector<std::vector<float>> const& planes, index plane) const {
        // The first plane's dose is that of its front, too.
        plane = std::max<index>(plane, 0);
        if (plane >= std::ssize(planes)) return 0;
        auto const& p = planes[static_cast<std::size_t>(plane)];
        if (p.empty()) return 0;
        float const* const q = p.data() + at_;
        float const near = q[0] + part_[0] * (q[1] - q[0]);
        float const far = q[columns_] + part_[0] * (q[columns_ + 1] - q[columns_]);
        return near + part_[1] * (far - near);
    }
};

Volume empty_volume(Patient const& p, std::vector<double> const& spacing,
                    std::vector<index> const& shape) {
    Volume v;
    v.image = Array<float>::zeros(shape);
    v.spacing = spacing;
    v.direction = p.direction;
    v.origin = p.origin;
    // The corners of both grids are the same.
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t c = 0; c < 3; ++c)
            v.origin[c] += (spacing[a] - p.spacing[a]) / 2 * p.direction[a][c];
    return v;
}

}  // namespace

Result<DoseGrid::Shape> DoseGrid::shape_of(Patient const& p, DoseOptions const& o) {
    std::vector<double> spacing = o.spacing;
    if (spacing.empty()) spacing = p.spacing;
    if (spacing.size() == 1) spacing.resize(3, spacing[0]);
    if (spacing.size() != 3)
        return Error{Code::invalid_argument, "spacing has one number for all axes, or three"};
    std::vector<index> shape(3);
    double voxels = 1;
    for (std::size_t a = 0; a < 3; ++a) {
        if (!(spacing[a] >= 0.1 && spacing[a] <= 50))
            return Error{Code::invalid_argument,
                         fmt::format("a dose with voxels of {:g} mm; give 0.1 to 50", spacing[a])};
        double const side = static_cast<double>(p.shape[2 - a]) * p.spacing[a];
        shape[2 - a] = std::max<index>(1, std::llround(side / spacing[a]));
        voxels *= static_cast<double>(shape[2 - a]);
    }
    if (voxels > 1e9)
        return Error{Code::invalid_argument,
                     fmt::format("a dose of {:.3g} voxels; give a larger spacing", voxels)};
    return Shape{std::move(spacing), std::move(shape), voxels};
}

Result<double> DoseGrid::voxels(Patient const& p, DoseOptions const& o) {
    SLUICE_TRY(Shape const s, shape_of(p, o));
    return s.voxels;
}

Result<DoseGrid> DoseGrid::create(Patient const& p, DoseOptions const& o, index beams) {
    SLUICE_TRY(Shape const made, shape_of(p, o));
    auto const& [spacing, shape, voxels] = made;
    double const bytes = grid_bytes(voxels, o, beams);
    auto const free = static_cast<double>(memory_available());
    if (bytes > free)
        return Error{
            Code::out_of_memory,
            fmt::format("a dose of {:.3g} voxels takes {:.1f} GB, and {:.1f} GB are free; "
                        "give a larger spacing, or leave LET, error and doses of beams out",
                        voxels, bytes / 1e9, free / 1e9)};
    DoseGrid g;
    g.with_let_ = o.let;
    g.with_error_ = o.error;
    g.to_ = o.to;
    g.dose_ = empty_volume(p, spacing, shape);
    if (o.let) g.let_ = g.dose_;
    if (o.error) g.wrong_ = g.dose_;
    return g;
}

// Voxels take the tissue at their middle.
float DoseGrid::factor(Patient const& patient, Rays const& tissues, Place3 const& place) const {
    int const t = tissues.tissue_at(place);
    if (t < 0) return 1;
    auto const n = static_cast<std::size_t>(t);
    if (patient.outside == n) return 0;
    return to_ == DoseTo::water ? 1.0F : patient.stopping[n] / std::max(patient.density[n], 1e-4F);
}

std::string DoseGrid::content() const {
    return to_ == DoseTo::water ? "dose to water, Gy" : "dose to the medium, Gy";
}

Result<double> DoseGrid::add(Patient const& patient, BeamCube const& cube, int threads, Run& run,
                             Volume* alone) {
    if (alone) {
        *alone = dose_;
        alone->content = content();
        std::ranges::fill(alone->image.values, 0.0F);
    }
    Fan const& fan = cube.fan;
    Rays const tissues(patient, fan.frame);
    bool const by_tissue = to_ == DoseTo::medium || patient.outside;
    index const columns = dose_.image.shape[2], in_plane = dose_.image.shape[1];
    std::vector<float> highest(static_cast<std::size_t>(rows()));
    share_out(rows(), threads, &run, [&](index row, int) {
        index const y = row % in_plane, z = row / in_plane;
        Place3 p{dose_.origin[0], dose_.origin[1], dose_.origin[2]}, step{};
        for (std::size_t c = 0; c < 3; ++c) {
            p[c] += static_cast<double>(y) * dose_.spacing[1] * dose_.direction[1][c] +
                    static_cast<double>(z) * dose_.spacing[2] * dose_.direction[2][c];
            step[c] = dose_.spacing[0] * dose_.direction[0][c];
        }
        Place3 const g = fan.frame.to_gantry(p), dg = turned(fan.frame.turn, step);
        for (index x = 0; x < columns; ++x) {
            auto const i = static_cast<double>(x);
            double const at_z = g[2] + i * dg[2];
            double const plane = (fan.top - at_z) / fan.step - 0.5;
            if (plane <= -1 || plane >= static_cast<double>(cube.planes)) continue;
            double const u = (g[0] + i * dg[0]) / fan.frame.spread(0, at_z);
            double const v = (g[1] + i * dg[1]) / fan.frame.spread(1, at_z);
            Between const fine(cube.fine, cube.planes, u, v, plane);
            Between const coarse(cube.coarse, cube.planes, u, v, plane);
            auto const at = static_cast<std::size_t>(row * columns + x);
            float const f = by_tissue
                                ? factor(patient, tissues,
                                         {g[0] + i * dg[0], g[1] + i * dg[1], g[2] + i * dg[2]})
                                : 1;
            float const d = f * (fine.of(cube.fine.values[0]) + coarse.of(cube.coarse.values[0]));
            dose_.image.values[at] += d;
            if (alone) alone->image.values[at] = d;
            float& most = highest[static_cast<std::size_t>(row)];
            most = std::max(most, d);
            if (with_let_)
                let_.image.values[at] +=
                    f * (fine.of(cube.fine.values[1]) + coarse.of(cube.coarse.values[1]));
            if (with_error_)
                wrong_.image.values[at] +=
                    margin_of_error * f * std::abs(coarse.of(cube.coarse.values[2]));
        }
    });
    SLUICE_CHECK(run.status());
    return static_cast<double>(*std::ranges::max_element(highest));
}

void DoseGrid::finish(PlanDose& to) {
    auto& dose = dose_.image.values;
    float const most = *std::ranges::max_element(dose);
    if (with_let_) {
        for (std::size_t i = 0; i < dose.size(); ++i) {
            float& let = let_.image.values[i];
            let = dose[i] > 1e-3F * most ? let / dose[i] : std::numeric_limits<float>::quiet_NaN();
        }
        let_.content = "dose-averaged LET in water of all protons, keV/um";
        to.let = std::move(let_);
    }
    if (with_error_) {
        float const part = most > 0 ? 100 / most : 0;
        for (float& e : wrong_.image.values) e *= part;
        wrong_.content = "predicted error of the dose, % of its highest value";
        to.error = std::move(wrong_);
    }
    dose_.content = content();
    to.dose = std::move(dose_);
}

}  // namespace sluice::proton::cube
