// How far an image lies from a reference.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "domain/stem4d/correlate.h"
#include "domain/stem4d/fill_holes.h"
#include "domain/stem4d/fine_shift.h"
#include "sluice/stem4d_drift.h"

namespace sluice::stem4d {
namespace {

struct Peak {
    index row = 0, col = 0;
    double value = 0, points = 0;
};

Peak peak_at(Correlogram const& c, index row, index col) {
    auto const i = static_cast<std::size_t>(c.at(row, col));
    return {row, col, c.value[i], c.points[i]};
}

// Whether none beside it is larger.
bool is_top(Correlogram const& c, Peak const& p) {
    for (index r = -1; r <= 1; ++r)
        for (index s = -1; s <= 1; ++s)
            if (c.has(p.row + r, p.col + s) && peak_at(c, p.row + r, p.col + s).value > p.value)
                return false;
    return true;
}

// The least value on the straight line between two peaks.
double valley(Correlogram const& c, Peak const& a, Peak const& b) {
    index const steps = std::max(std::abs(b.row - a.row), std::abs(b.col - a.col));
    double least = a.value;
    for (index i = 1; i < steps; ++i) {
        double const t = static_cast<double>(i) / static_cast<double>(steps);
        Peak const p = peak_at(c,
                               static_cast<index>(std::lround(std::lerp(
                                   static_cast<double>(a.row), static_cast<double>(b.row), t))),
                               static_cast<index>(std::lround(std::lerp(
                                   static_cast<double>(a.col), static_cast<double>(b.col), t))));
        if (std::isfinite(p.value)) least = std::min(least, p.value);
    }
    return least;
}

// Chance has larger coefficients where little overlaps.
std::optional<Peak> highest(Correlogram const& c) {
    std::optional<Peak> best;
    double most = 0;
    for (index r = -c.most_rows; r <= c.most_rows; ++r)
        for (index s = -c.most_cols; s <= c.most_cols; ++s) {
            Peak const p = peak_at(c, r, s);
            double const score = p.value * std::sqrt(p.points / c.all);
            if (score > most) most = score, best = p;
        }
    return best;
}

// All that are as good as the highest within noise, and hang together with no better one.
std::vector<Peak> peaks_alike(Correlogram const& c, Peak const& best) {
    std::vector<Peak> found{best};
    auto const noise = [](Peak const& p) {
        return (1 - p.value * p.value) / std::sqrt(std::max(p.points, 1.0));
    };
    for (index r = -c.most_rows; r <= c.most_rows; ++r)
        for (index s = -c.most_cols; s <= c.most_cols; ++s) {
            Peak const p = peak_at(c, r, s);
            double const less = std::max(3 * std::hypot(noise(best), noise(p)), 0.03 * best.value);
            if (!(p.value >= best.value - less) || !is_top(c, p)) continue;
            bool const apart = std::ranges::all_of(found, [&](Peak const& one) {
                return (one.row != p.row || one.col != p.col) &&
                       valley(c, one, p) < 0.8 * std::min(p.value, one.value);
            });
            if (apart) found.push_back(p);
        }
    return found;
}

// Where two images overlap at a whole shift, without rows and columns at the ends of which less
// than half is known: what fills them is no structure that moves.
struct Part {
    index row, col, rows, cols;  // of the reference
};
bool half_known(Array<double> const& image, index at, index pitch, index count) {
    double known = 0;
    for (index i = 0; i < count; ++i)
        known += std::isfinite(image.values[static_cast<std::size_t>(at + i * pitch)]) ? 1 : 0;
    return 2 * known >= static_cast<double>(count);
}

Part known_part(Array<double> const& a, Array<double> const& b, Peak const& p) {
    index const cols = a.shape[1], to = p.row * cols + p.col;
    Part o{std::max<index>(0, -p.row), std::max<index>(0, -p.col), a.shape[0] - std::abs(p.row),
           cols - std::abs(p.col)};
    auto const row = [&](index r) {
        index const at = r * cols + o.col;
        return half_known(a, at, 1, o.cols) && half_known(b, at + to, 1, o.cols);
    };
    while (o.rows > 1 && !row(o.row)) ++o.row, --o.rows;
    while (o.rows > 1 && !row(o.row + o.rows - 1)) --o.rows;
    auto const col = [&](index c) {
        index const at = o.row * cols + c;
        return half_known(a, at, cols, o.rows) && half_known(b, at + to, cols, o.rows);
    };
    while (o.cols > 1 && !col(o.col)) ++o.col, --o.cols;
    while (o.cols > 1 && !col(o.col + o.cols - 1)) --o.cols;
    return o;
}

Result<FineShift> refined(Array<double> const& a, Array<double> const& b, Peak const& p) {
    Part const part = known_part(a, b, p);
    Array<double> const whole_a = without_holes(a), whole_b = without_holes(b);
    ImagePair pair{part.rows, part.cols, {}, {}};
    for (index i = 0; i < part.rows * part.cols; ++i) {
        index const at = (part.row + i / part.cols) * a.shape[1] + part.col + i % part.cols;
        pair.reference.push_back(whole_a.values[static_cast<std::size_t>(at)]);
        pair.image.push_back(
            whole_b.values[static_cast<std::size_t>(at + p.row * a.shape[1] + p.col)]);
    }
    SLUICE_TRY(FineShift fine, fine_shift(pair, 1));
    fine.by.row += static_cast<double>(p.row), fine.by.col += static_cast<double>(p.col);
    return fine;
}

double way_to(Peak const& p, Point from) {
    return std::hypot(static_cast<double>(p.row) - from.row, static_cast<double>(p.col) - from.col);
}

Status check_images(Array<double> const& a, Array<double> const& b) {
    if (a.shape.size() == 2 && a.shape == b.shape && a.size() > 0 &&
        std::ssize(a.values) == a.shape[0] * a.shape[1] && a.values.size() == b.values.size())
        return {};
    return Error{Code::invalid_argument,
                 fmt::format("images of the shapes {} and {} cannot be compared (they are not "
                             "[row][col] of one shape) give scans of one shape",
                             a.shape, b.shape)};
}

std::string weak(ImageShift const& s, Peak const& p) {
    return fmt::format(
        "what the images have in common may be chance (correlation {:.2f}, {:.1f} "
        "standard deviations of noise, {:.1f} are needed)",
        p.value, s.significance, s.needed);
}

// The last word: a number, or why not.
void judge_shift(ImageShift& s, Peak const& p, FineShift const& fine) {
    constexpr double least_sure = 0.5;  // points
    constexpr double sharp = 4;         // standard deviations of noise
    s.peak = p.value, s.significance = fine.significance;
    // As many shifts differ as waves have something to say; between whole ones about four times as
    // many.
    s.needed = std::sqrt(2 * std::log(4 * std::max(fine.waves, 4.0))) + 1.5;
    if (s.significance < s.needed) {
        s.why = weak(s, p);
    } else if (!fine.inside || fine.sharpness < sharp ||
               !(std::max(fine.error.row, fine.error.col) <= least_sure)) {
        s.why = "the images do not tell a shift in every direction (they have stripes, or noise)";
    } else {
        s.by = fine.by, s.error = fine.error;
    }
}

}  // namespace

Result<ImageShift> find_image_shift(Array<double> const& reference, Array<double> const& image,
                                    ShiftOptions const& options) {
    SLUICE_CHECK(check_images(reference, image));
    auto const most = [&](index n) {
        return std::clamp<index>(static_cast<index>(options.most_part * static_cast<double>(n)), 0,
                                 n - 1);
    };
    ImageShift out;
    constexpr double least_part = 0.2;  // of the points that overlap
    SLUICE_TRY(Correlogram const c, correlate(reference, image, most(reference.shape[0]),
                                              most(reference.shape[1]), least_part));
    auto const best = highest(c);
    if (!best) {
        out.why = "an image is flat, or has too few points";
        return out;
    }
    std::vector<Peak> peaks = peaks_alike(c, *best);
    std::ranges::stable_sort(peaks, {}, [&](Peak const& p) { return way_to(p, options.expected); });
    SLUICE_TRY(FineShift const fine, refined(reference, image, peaks.front()));
    judge_shift(out, peaks.front(), fine);
    if (out.known() && peaks.size() > 1) {
        SLUICE_TRY(FineShift const second, refined(reference, image, peaks[1]));
        out.other = second.by;
    }
    return out;
}

}  // namespace sluice::stem4d
