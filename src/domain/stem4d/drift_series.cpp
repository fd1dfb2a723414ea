// Images of scans that are repeated: their drift, and their mean without it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "sluice/stem4d_drift.h"

namespace sluice::stem4d {
namespace {

// Weights of the four points about `part` of the way from the second to the third.
std::array<double, 4> cubic(double part) {
    double const t = part, t2 = t * t, t3 = t2 * t;
    return {(-t3 + 2 * t2 - t) / 2, (3 * t3 - 5 * t2 + 2) / 2, (-3 * t3 + 4 * t2 + t) / 2,
            (t3 - t2) / 2};
}

// The value of an image between its points; NaN where one that it is made of is not there.
double value_at(Array<double> const& image, Point p) {
    index const rows = image.shape[0], cols = image.shape[1];
    auto const row = static_cast<index>(std::floor(p.row)),
               col = static_cast<index>(std::floor(p.col));
    auto const down = cubic(p.row - std::floor(p.row)), across = cubic(p.col - std::floor(p.col));
    double sum = 0;
    for (index r = 0; r < 4; ++r)
        for (index c = 0; c < 4; ++c) {
            double const weight =
                down[static_cast<std::size_t>(r)] * across[static_cast<std::size_t>(c)];
            if (weight == 0) continue;
            index const i = row + r - 1, j = col + c - 1;
            if (i < 0 || j < 0 || i >= rows || j >= cols)
                return std::numeric_limits<double>::quiet_NaN();
            sum += weight * image.values[static_cast<std::size_t>(i * cols + j)];
        }
    return sum;
}

void add_aligned(Array<double> const& image, Point by, Array<double>& sum, Array<double>& images) {
    index const cols = image.shape[1];
    for (index i = 0; i < image.size(); ++i) {
        index const row = i / cols, col = i % cols;
        double const v =
            value_at(image, {static_cast<double>(row) + by.row, static_cast<double>(col) + by.col});
        if (!std::isfinite(v)) continue;
        sum.values[static_cast<std::size_t>(i)] += v;
        images.values[static_cast<std::size_t>(i)] += 1;
    }
}

}  // namespace

std::string describe(DriftStep const& step, index number) {
    std::string text;
    if (number > 0 && !step.shift.known()) {
        text = fmt::format("drift cannot be told: {}", step.shift.why);
    } else if (number > 0) {
        text =
            fmt::format("drift {:.2f} +- {:.2f} rows, {:.2f} +- {:.2f} columns", step.shift.by.row,
                        step.shift.error.row, step.shift.by.col, step.shift.error.col);
        if (step.against > 0) text += fmt::format(" (by way of scan {})", step.against + 1);
        if (step.shift.other)
            text += fmt::format("; {:.2f}, {:.2f} fits as well, as in a lattice",
                                step.shift.other->row, step.shift.other->col);
    } else {
        text = "drift is counted from here";
    }
    if (step.jitter.known())
        text += fmt::format("; lines jitter by {:.2f} +- {:.2f} points", step.jitter.rms,
                            step.jitter.error);
    return text;
}

Result<DriftStep> DriftSeries::add(Array<double> const& image) {
    DriftStep step;
    if (steps_.empty()) {
        SLUICE_TRY(step.jitter, find_line_jitter(image));
        first_ = last_ = image;
        sum_ = images_ = Array<double>::zeros(image.shape);
        step.shift = {.by = {}, .error = {}, .peak = 1};
    } else {
        Point const before = steps_[static_cast<std::size_t>(last_number_)].shift.by,
                    sure = steps_[static_cast<std::size_t>(last_number_)].shift.error;
        SLUICE_TRY(step.shift, find_image_shift(first_, image, {.expected = before}));
        SLUICE_TRY(step.jitter, find_line_jitter(image));
        if (!step.shift.known() && last_number_ > 0) {
            SLUICE_TRY(ImageShift next, find_image_shift(last_, image));
            if (next.known()) {
                next.by = {next.by.row + before.row, next.by.col + before.col};
                if (next.other) next.other->row += before.row, next.other->col += before.col;
                next.error = {std::hypot(next.error.row, sure.row),
                              std::hypot(next.error.col, sure.col)};
                step.shift = std::move(next), step.against = last_number_;
            }
        }
    }
    if (step.shift.known()) {
        last_ = image, last_number_ = std::ssize(steps_);
        add_aligned(image, step.shift.by, sum_, images_);
        ++taken_;
    }
    steps_.push_back(step);
    return step;
}

AlignedMean DriftSeries::mean() const {
    AlignedMean out{.values = sum_, .images = images_, .taken = taken_};
    for (std::size_t i = 0; i < out.values.values.size(); ++i)
        out.values.values[i] = images_.values[i] > 0 ? sum_.values[i] / images_.values[i]
                                                     : std::numeric_limits<double>::quiet_NaN();
    return out;
}

}  // namespace sluice::stem4d
