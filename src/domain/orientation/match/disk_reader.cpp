// Takes disks from the detector to the scan.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/disk_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sluice::orient {
namespace {

// Of the lowest reflection's frequency: what lies nearer is the direct beam.
constexpr double direct_beam = 0.5;

double or_none(float variance) {
    return variance > 0 && std::isfinite(variance) ? static_cast<double>(variance) : 0.0;
}

// Numbers of a caller may be NaN, which have no order.
void keep_finite(std::vector<float>& values) {
    std::erase_if(values, [](float v) { return !std::isfinite(v); });
}

std::array<double, 2> range_of(std::vector<float> places) {
    keep_finite(places);
    if (places.empty()) return {};
    auto const [least, most] = std::ranges::minmax(places);
    return {static_cast<double>(least), static_cast<double>(most)};
}

double weak_one(std::vector<float> intensities) {
    keep_finite(intensities);
    if (intensities.empty()) return 0;
    auto const at = intensities.begin() + std::ssize(intensities) / 50;
    std::ranges::nth_element(intensities, at);
    return std::max(0.0, static_cast<double>(*at));
}

Status check_calibration(stem4d::CalibratedVectors const& v) {
    auto const& c = v.calibration;
    auto const refuse = [](char const* text) { return Error{Code::invalid_argument, text}; };
    if (!(c.pixel_size > 0))
        return refuse(
            "the calibration has no pixel size (frequencies in 1/ångström are not known without "
            "it) calibrate with a known crystal, or state the pixel size");
    if (!c.origins)
        return refuse(
            "the calibration has no origins (places about the direct beam are not known without "
            "them) calibrate the vectors first");
    return stem4d::check_vectors(v.vectors);
}

}  // namespace

void PatternDisks::clear() {
    for (auto* column :
         {&x, &y, &intensity, &var_x, &var_y, &cov_xy, &intensity_error, &gone_x, &gone_y})
        column->clear();
}

void PatternDisks::drop(std::vector<std::uint8_t> const& marked) {
    for (std::size_t j = 0; j < x.size(); ++j)
        if (marked[j]) gone_x.push_back(x[j]), gone_y.push_back(y[j]);
    for (auto* column : {&x, &y, &intensity, &var_x, &var_y, &cov_xy, &intensity_error}) {
        std::size_t kept = 0;
        for (std::size_t j = 0; j < column->size(); ++j)
            if (!marked[j]) (*column)[kept++] = (*column)[j];
        column->resize(kept);
    }
}

Result<DiskReader> DiskReader::make(stem4d::CalibratedVectors const& vectors,
                                    stem4d::OrientationLibrary::State const& library) {
    SLUICE_CHECK(check_calibration(vectors));
    auto const& c = vectors.calibration;
    DiskReader r;
    r.vectors_ = &vectors;
    r.center_ = c.center();
    r.pixel_ = c.pixel_size;
    double lowest = library.options.most_frequency;
    for (auto const& table : library.tables)
        lowest = std::min(lowest, static_cast<double>(table.frequency.front()));
    r.least_ = direct_beam * lowest;
    r.most_ = library.options.most_frequency;
    stem4d::Rotation const turn = c.rotation.value_or(stem4d::Rotation{});
    double const cos = std::cos(turn.degrees * degree), sin = std::sin(turn.degrees * degree);
    // (row, col) of the scan = turn of the detector's, or of its (col, row).
    double const by[2][2] = {{cos, -sin}, {sin, cos}};
    int const row = turn.transpose ? 1 : 0, col = 1 - row;
    r.y_row_ = r.pixel_ * by[0][row], r.y_col_ = r.pixel_ * by[0][col];
    r.x_row_ = r.pixel_ * by[1][row], r.x_col_ = r.pixel_ * by[1][col];
    r.rows_ = range_of(vectors.vectors.row);
    r.cols_ = range_of(vectors.vectors.col);
    r.least_intensity_ = weak_one(vectors.vectors.intensity);
    auto const& v = vectors.vectors;
    for (std::size_t j = 0; j < v.row.size(); ++j)
        r.beyond_ += std::hypot(static_cast<double>(v.row[j]) - r.center_.row,
                                static_cast<double>(v.col[j]) - r.center_.col) *
                         r.pixel_ >=
                     r.most_;
    return r;
}

void DiskReader::read(index pattern, PatternDisks& out) const {
    out.clear();
    auto const& v = vectors_->vectors;
    auto const first = static_cast<std::size_t>(v.first[static_cast<std::size_t>(pattern)]);
    for (std::size_t j = first; j < first + static_cast<std::size_t>(v.count(pattern)); ++j) {
        double const row = static_cast<double>(v.row[j]) - center_.row,
                     col = static_cast<double>(v.col[j]) - center_.col;
        double const x = x_row_ * row + x_col_ * col, y = y_row_ * row + y_col_ * col;
        double const r = std::hypot(x, y);
        if (!(r > least_ && r < most_)) continue;
        if (!(v.intensity[j] > 0) || !std::isfinite(v.intensity[j])) continue;
        double const rr = or_none(v.var_row[j]), cc = or_none(v.var_col[j]);
        bool const both = rr > 0 && cc > 0 && std::isfinite(v.cov_row_col[j]);
        double const rc = both ? static_cast<double>(v.cov_row_col[j]) : 0;
        out.x.push_back(static_cast<float>(x));
        out.y.push_back(static_cast<float>(y));
        out.intensity.push_back(v.intensity[j]);
        out.var_x.push_back(static_cast<float>(x_row_ * x_row_ * rr + 2 * x_row_ * x_col_ * rc +
                                               x_col_ * x_col_ * cc));
        out.var_y.push_back(static_cast<float>(y_row_ * y_row_ * rr + 2 * y_row_ * y_col_ * rc +
                                               y_col_ * y_col_ * cc));
        out.cov_xy.push_back(static_cast<float>(x_row_ * y_row_ * rr +
                                                (x_row_ * y_col_ + x_col_ * y_row_) * rc +
                                                x_col_ * y_col_ * cc));
        float const error = v.intensity_error[j];
        out.intensity_error.push_back(error > 0 && std::isfinite(error) ? error : 0);
    }
}

stem4d::Point DiskReader::place_of(double x, double y) const {
    // The transform is a turn, perhaps mirrored, times the pixel size.
    double const square = pixel_ * pixel_;
    return {center_.row + (x_row_ * x + y_row_ * y) / square,
            center_.col + (x_col_ * x + y_col_ * y) / square};
}

bool DiskReader::could_be_at(double x, double y) const {
    auto const [row, col] = place_of(x, y);
    return row >= rows_[0] && row <= rows_[1] && col >= cols_[0] && col <= cols_[1];
}

}  // namespace sluice::orient
