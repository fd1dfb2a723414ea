// How the rows of an image lie against each other.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "domain/stem4d/fill_holes.h"
#include "domain/stem4d/fine_shift.h"
#include "sluice/stem4d_drift.h"

namespace sluice::stem4d {
namespace {

constexpr double jitter_reach = 2;        // points
constexpr double least_sharpness = 4;     // standard deviations of noise
constexpr double least_known_part = 0.9;  // of a row's points

struct RowShift {
    index row;
    double by, error;
};

bool is_measured(Array<double> const& image, index row) {
    index const cols = image.shape[1];
    double known = 0;
    for (index c = 0; c < cols; ++c)
        known += std::isfinite(image.values[static_cast<std::size_t>(row * cols + c)]) ? 1 : 0;
    return known >= least_known_part * static_cast<double>(cols);
}

// Each row against the mean of the two beside it.
Result<std::vector<RowShift>> shifts_of(Array<double> const& image, Array<double> const& whole) {
    index const rows = image.shape[0], cols = image.shape[1];
    std::vector<RowShift> out;
    for (index r = 1; r + 1 < rows; ++r) {
        if (!is_measured(image, r - 1) || !is_measured(image, r) || !is_measured(image, r + 1))
            continue;
        ImagePair pair{1, cols, {}, {}};
        for (index c = 0; c < cols; ++c) {
            auto const at = static_cast<std::size_t>(r * cols + c);
            auto const pitch = static_cast<std::size_t>(cols);
            pair.image.push_back(whole.values[at]);
            pair.reference.push_back((whole.values[at - pitch] + whole.values[at + pitch]) / 2);
        }
        SLUICE_TRY(FineShift const found, fine_shift(pair, jitter_reach));
        if (found.inside && found.sharpness >= least_sharpness && found.error.col < 0.5)
            out.push_back({r, found.by.col, found.error.col});
    }
    return out;
}

}  // namespace

Result<LineJitter> find_line_jitter(Array<double> const& image) {
    if (image.shape.size() != 2 || image.size() != std::ssize(image.values))
        return Error{
            Code::invalid_argument,
            fmt::format("an array of the shape {} is no image; give [row][col]", image.shape)};
    LineJitter out;
    index const inner = image.shape[0] - 2;
    if (inner < 6 || image.shape[1] < 8) {
        out.why = "the image has less than 8x8 points";
        return out;
    }
    SLUICE_TRY(auto const shifts, shifts_of(image, without_holes(image)));
    out.rows = std::ssize(shifts);
    if (2 * out.rows < inner) {
        out.why = fmt::format(
            "only {} of {} rows have more in common with those beside them than "
            "noise has",
            out.rows, inner);
        return out;
    }
    // Where odd rows lie h further along than even ones, an odd row is +h against those beside it,
    // and an even one -h.
    auto const n = static_cast<double>(out.rows);
    double turn = 0, square = 0, noise = 0, fourth = 0;
    for (RowShift const& s : shifts) turn += (s.row % 2 == 1 ? s.by : -s.by) / n;
    for (RowShift const& s : shifts) {
        double const own = s.by - (s.row % 2 == 1 ? turn : -turn), own2 = own * own;
        square += own2 / n, fourth += own2 * own2 / n, noise += s.error * s.error / n;
    }
    // The mean of the two beside a row wanders with half of the variance of one. Shifts of
    // neighbours have rows in common, which makes their sums vary more: by the correlations -2/3
    // and 1/6 of a row's shift with those of the next ones, 1 + 2 (4/9 + 1/36) for squares.
    constexpr double own_part = 1.5, common = 1 + 2 * (4.0 / 9 + 1.0 / 36);
    double const variance = (square - noise) / own_part;
    double const sigma =
        std::sqrt(std::max(fourth - square * square, 2 * square * square / n) * common / n) /
        own_part;
    out.rms = std::sqrt(std::max(variance, 0.0));
    out.error = out.rms * out.rms > sigma ? sigma / (2 * out.rms) : std::sqrt(sigma);
    out.turn = turn, out.turn_error = std::sqrt(square / n);
    return out;
}

}  // namespace sluice::stem4d
