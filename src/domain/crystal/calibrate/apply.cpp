// Applies calibrations to vectors, and takes them off again.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "domain/crystal/calibrate/check.h"
#include "domain/crystal/lattice/matrix2.h"

namespace sluice::stem4d {
namespace {

using PlaceColumn = std::vector<float> BraggVectors::*;
constexpr PlaceColumn replaced[] = {&BraggVectors::row, &BraggVectors::col, &BraggVectors::var_row,
                                    &BraggVectors::var_col, &BraggVectors::cov_row_col};

Status check_calibration(BraggVectors const& v, Calibration const& c) {
    SLUICE_CHECK(check_vectors(v));
    auto const text = [](std::array<index, 2> const& s) {
        return fmt::format("{}x{}", s[0], s[1]);
    };
    if (v.detector_shape != c.detector_shape)
        return Error{
            Code::invalid_argument,
            fmt::format("the calibration is of a detector of {} pixels and the disks are of "
                        "one of {}; calibrate this detector",
                        text(c.detector_shape), text(v.detector_shape))};
    if (!c.origins) return {};
    SLUICE_CHECK(crystal::check_origin_fit(*c.origins));
    if (v.scan_shape == c.origins->scan_shape) return {};
    return Error{Code::invalid_argument,
                 fmt::format("the origins of the calibration are of a scan of {} points and the "
                             "disks of one of {}; calibrate this scan",
                             text(c.origins->scan_shape), text(v.scan_shape))};
}

}  // namespace

Point Calibration::center() const {
    if (origins) return origins->center();
    return {static_cast<double>(detector_shape[0] - 1) / 2,
            static_cast<double>(detector_shape[1] - 1) / 2};
}

Result<CalibratedVectors> apply_calibration(BraggVectors vectors, Calibration const& calibration) {
    SLUICE_CHECK(check_calibration(vectors, calibration));
    CalibratedVectors out{std::move(vectors), calibration, {}};
    BraggVectors& v = out.vectors;
    for (std::size_t i = 0; i < out.raw.size(); ++i) out.raw[i] = v.*replaced[i];
    Point const center = calibration.center();
    auto const [rr, rc, cc] = calibration.distortion.value_or(Distortion{}).correction();
    for (index p = 0; p < v.patterns(); ++p) {
        Point const o = calibration.origins
                            ? calibration.origins->at(p / v.scan_shape[1], p % v.scan_shape[1])
                            : center;
        auto const first = static_cast<std::size_t>(v.first[static_cast<std::size_t>(p)]);
        for (std::size_t j = first; j < first + static_cast<std::size_t>(v.count(p)); ++j) {
            double const row = static_cast<double>(v.row[j]) - o.row,
                         col = static_cast<double>(v.col[j]) - o.col;
            v.row[j] = static_cast<float>(center.row + rr * row + rc * col);
            v.col[j] = static_cast<float>(center.col + rc * row + cc * col);
            double const a = v.var_row[j], b = v.var_col[j], ab = v.cov_row_col[j];
            v.var_row[j] = static_cast<float>(rr * rr * a + 2 * rr * rc * ab + rc * rc * b);
            v.var_col[j] = static_cast<float>(rc * rc * a + 2 * rc * cc * ab + cc * cc * b);
            v.cov_row_col[j] =
                static_cast<float>(rr * rc * a + (rr * cc + rc * rc) * ab + rc * cc * b);
        }
    }
    return out;
}

BraggVectors remove_calibration(CalibratedVectors calibrated) {
    for (std::size_t i = 0; i < calibrated.raw.size(); ++i)
        calibrated.vectors.*replaced[i] = std::move(calibrated.raw[i]);
    return std::move(calibrated.vectors);
}

Result<LatticeBasis> theory_of(Calibration const& calibration, LatticeBasis const& like) {
    using crystal::Matrix2;
    if (!calibration.lattice)
        return Error{Code::invalid_argument,
                     "the calibration knows no lattice (it was measured without a crystal, or from "
                     "rings) calibrate with --crystal on one crystal, or give another reference"};
    LatticeSpacings const s = *calibration.lattice;
    double const angle = s.angle_degrees * std::numbers::pi / 180, a = 1 / (s.a * s.pixel_size),
                 b = 1 / (s.b * s.pixel_size);
    Matrix2 const theory{a, b * std::cos(angle), 0, b * std::sin(angle)};
    Matrix2 const found = crystal::columns_of(like);
    // The vectors of theory that differ from the found ones by the least strain.
    Matrix2 best = theory;
    double least = INFINITY;
    for (int i = -2; i <= 2; ++i)
        for (int j = -2; j <= 2; ++j)
            for (int k = -2; k <= 2; ++k)
                for (int l = -2; l <= 2; ++l) {
                    if (i * l - j * k != 1 && i * l - j * k != -1) continue;
                    Matrix2 const g =
                        theory * Matrix2{static_cast<double>(i), static_cast<double>(j),
                                         static_cast<double>(k), static_cast<double>(l)};
                    Matrix2 const m = found * g.inverse(), e = m.transposed() * m;
                    double const away = std::hypot(e.rr - 1, e.cc - 1, 2 * e.rc);
                    if (away < least - 1e-9) least = away, best = g;
                }
    Point const x{best.rr, best.cr}, y{best.rc, best.cc};
    double const lx = crystal::length_of(x), ly = crystal::length_of(y);
    return theoretical_basis(
        {1 / (lx * s.pixel_size), 1 / (ly * s.pixel_size),
         std::acos(crystal::dot(x, y) / (lx * ly)) * 180 / std::numbers::pi, s.pixel_size},
        like);
}

}  // namespace sluice::stem4d
