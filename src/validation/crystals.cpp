// Checks of orientations: patterns of a known crystal, matched to their library.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>

#include "sluice/match_orientations.h"
#include "validation/check.h"

namespace sluice::validation {
namespace {

constexpr index side = 6;
constexpr double pixel = 0.02, middle = 63.5;

stem4d::UnitCell iron() {
    stem4d::UnitCell cell;
    cell.a = cell.b = cell.c = 2.866;
    cell.name = "iron";
    cell.atoms = {{.number = 26}, {.number = 26, .place = {0.5, 0.5, 0.5}}};
    return cell;
}

Result<stem4d::OrientationLibrary> library_on(Device const& device) {
    stem4d::UnitCell const cell = iron();
    stem4d::Options run;
    run.device = device;
    return stem4d::OrientationLibrary::build({&cell, 1}, {.kilovolts = 200, .zone_step = 3}, run);
}

stem4d::Orientation any(std::mt19937& random) {
    std::normal_distribution<double> normal;
    double const w = normal(random), x = normal(random), y = normal(random), z = normal(random);
    double const length = std::sqrt(w * w + x * x + y * y + z * z);
    return {w / length, x / length, y / length, z / length};
}

void add_disk(stem4d::BraggVectors& v, double row, double col, double height) {
    v.row.push_back(static_cast<float>(row));
    v.col.push_back(static_cast<float>(col));
    v.intensity.push_back(static_cast<float>(height));
    v.background.push_back(0);
    v.var_row.push_back(0.01F);
    v.var_col.push_back(0.01F);
    v.cov_row_col.push_back(0);
    v.intensity_error.push_back(static_cast<float>(std::sqrt(height)));
    v.score.push_back(100);
}

/// Disks where theory has them, on a scan of 6 x 6 points.
Result<stem4d::BraggVectors> patterns_of(stem4d::OrientationLibrary const& library) {
    std::mt19937 random(7);
    stem4d::BraggVectors v;
    v.scan_shape = {side, side};
    v.detector_shape = {128, 128};
    v.first = {0};
    for (index p = 0; p < side * side; ++p) {
        add_disk(v, middle, middle, 1e5);
        SLUICE_TRY(auto const spots, library.pattern(0, any(random)));
        for (stem4d::TheorySpot const& s : spots) {
            double const row = middle + s.row / pixel, col = middle + s.col / pixel;
            if (row > 0 && row < 127 && col > 0 && col < 127 && s.intensity > 0.01)
                add_disk(v, row, col, 1e4 * s.intensity);
        }
        v.first.push_back(v.size());
        v.reason.push_back(stem4d::DiskReason::found);
    }
    return v;
}

stem4d::Calibration calibration() {
    stem4d::Calibration c;
    c.scan_shape = {side, side}, c.detector_shape = {128, 128};
    c.pixel_size = pixel;
    stem4d::OriginFit& origins = c.origins.emplace();
    origins.scan_shape = c.scan_shape;
    origins.surface = stem4d::OriginSurface::mean;
    origins.row = {middle}, origins.col = {middle};
    origins.covariance = {0};
    return c;
}

Result<Numbers> matched(Device const& device) {
    SLUICE_TRY(auto const library, library_on(device));
    // All devices match the same disks.
    SLUICE_TRY(auto const truth, library_on(Device::cpu(1, Isa::baseline)));
    SLUICE_TRY(auto const vectors, patterns_of(truth));
    stem4d::Options run;
    run.device = device;
    SLUICE_TRY(auto const map, stem4d::orientation(vectors, calibration(), library, {}, run));
    Numbers all;
    for (float const score : map.score) all.push_back(static_cast<double>(score));
    for (float const residual : map.residual) all.push_back(static_cast<double>(residual));
    return all;
}

}  // namespace

void add_orientation(std::vector<Check>& to) {
    to.push_back({"orientation", "scores and residuals", "36 patterns of iron", 3e-3,
                  "fits in float end near the same place", matched, false, 2});
}

}  // namespace sluice::validation
