// Moves a window to the centre of mass inside it until it rests.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/calibrate/window.h"

#include <algorithm>
#include <cmath>

#include "domain/crystal/lattice/matrix2.h"

namespace sluice::crystal {
namespace {

using stem4d::OriginReason;
using stem4d::Point;

constexpr int most_steps = 200;
constexpr double rest = 1e-5;  // px
// The window follows its own edge where the counts do not fall off: it is then not determined.
constexpr double least_grip = 0.1;

class Frame {
  public:
    Frame(WindowSetup const& setup, std::span<double const> counts)
        : s_(setup), counts_(counts), rows_(setup.shape[0]), cols_(setup.shape[1]) {}

    // 0 beyond the frame and where nothing was measured; so is the pixel opposite about `c`, since
    // what only one side lacks would push the centre to the other.
    double at(index row, index col, Point c) const {
        if (!known(row, col)) return 0;
        if (!s_.bad.empty() || any_nan_) {
            auto const r = static_cast<index>(std::lround(2 * c.row - static_cast<double>(row))),
                       k = static_cast<index>(std::lround(2 * c.col - static_cast<double>(col)));
            if (!known(r, k)) return 0;
        }
        return counts_[static_cast<std::size_t>(row * cols_ + col)];
    }
    bool known(index row, index col) const {
        if (row < 0 || col < 0 || row >= rows_ || col >= cols_) return false;
        auto const i = static_cast<std::size_t>(row * cols_ + col);
        return (s_.bad.empty() || !s_.bad[i]) && std::isfinite(counts_[i]);
    }
    double room(Point p) const {
        return std::min(std::min(p.row, static_cast<double>(rows_ - 1) - p.row),
                        std::min(p.col, static_cast<double>(cols_ - 1) - p.col)) +
               0.5;
    }
    // The middle of the square with the most counts.
    Point brightest() const {
        index const half = std::max<index>(1, std::lround(s_.least));
        std::vector<double> table(static_cast<std::size_t>((rows_ + 1) * (cols_ + 1)));
        auto const sum = [&](index r, index c) -> double& {
            return table[static_cast<std::size_t>(r * (cols_ + 1) + c)];
        };
        for (index r = 0; r < rows_; ++r) {
            double row = 0;
            for (index c = 0; c < cols_; ++c) {
                if (known(r, c)) row += counts_[static_cast<std::size_t>(r * cols_ + c)];
                sum(r + 1, c + 1) = sum(r, c + 1) + row;
            }
        }
        Point at{static_cast<double>(rows_ - 1) / 2, static_cast<double>(cols_ - 1) / 2};
        double most = 0;
        for (index r = 0; r < rows_; ++r)
            for (index c = 0; c < cols_; ++c) {
                index const top = std::max<index>(0, r - half),
                            bottom = std::min(rows_, r + half + 1),
                            left = std::max<index>(0, c - half),
                            right = std::min(cols_, c + half + 1);
                double const here =
                    sum(bottom, right) - sum(top, right) - sum(bottom, left) + sum(top, left);
                if (here > most) most = here, at = {static_cast<double>(r), static_cast<double>(c)};
            }
        return at;
    }
    void look_for_nan() {
        any_nan_ = std::ranges::any_of(counts_, [](double v) { return !std::isfinite(v); });
    }

  private:
    WindowSetup const& s_;
    std::span<double const> counts_;
    index rows_, cols_;
    bool any_nan_ = false;
};

struct Sums {
    double counts = 0;
    Point mean;       // about the window's middle
    Matrix2 slope;    // of the mean by the window's middle
    Matrix2 scatter;  // sum of W^2 I d d^T
};

// W falls from 1 to 0 over the pixel in which the edge lies.
Sums sums_in(Frame const& frame, Point c, double radius) {
    Sums s;
    auto const from = [](double x) { return static_cast<index>(std::floor(x)); };
    for (index r = from(c.row - radius - 1); r <= from(c.row + radius + 2); ++r)
        for (index k = from(c.col - radius - 1); k <= from(c.col + radius + 2); ++k) {
            double const dr = static_cast<double>(r) - c.row, dc = static_cast<double>(k) - c.col;
            double const away = std::sqrt(dr * dr + dc * dc);
            double const w = std::clamp(radius + 0.5 - away, 0.0, 1.0);
            if (!(w > 0)) continue;
            double const n = frame.at(r, k, c), wn = w * n;
            s.counts += wn;
            s.mean.row += wn * dr, s.mean.col += wn * dc;
            s.scatter = s.scatter + Matrix2{dr * dr, dr * dc, dr * dc, dc * dc} * (w * wn);
            if (w < 1 && away > 0)
                s.slope = s.slope + Matrix2{dr * dr, dr * dc, dr * dc, dc * dc} * (n / away);
        }
    if (s.counts > 0) {
        s.mean = {s.mean.row / s.counts, s.mean.col / s.counts};
        s.slope = s.slope * (1 / s.counts);
    }
    return s;
}

}  // namespace

WindowOrigin settle(WindowSetup const& setup, std::span<double const> counts) {
    Frame frame(setup, counts);
    frame.look_for_nan();
    WindowOrigin out;
    Point c = setup.start ? *setup.start : frame.brightest();
    for (int step = 0; step < most_steps; ++step) {
        // A window that the edge cuts would see one side only: a smaller one is whole.
        double const radius = std::min(setup.radius, frame.room(c) - 0.5);
        out.reason = OriginReason::off_detector;
        if (!(radius >= setup.least)) return out;
        Sums const s = sums_in(frame, c, radius);
        out.reason = OriginReason::no_counts;
        if (!(s.counts > 0)) return out;
        out.reason = OriginReason::not_settled;
        Matrix2 const grip = Matrix2{1, 0, 0, 1} + s.slope * -1;
        bool const firm = grip.determinant() > least_grip * least_grip && grip.trace() > 0;
        // Newton's step is longer than the mean's own where background fills the window.
        Point move = firm ? grip.inverse() * s.mean : s.mean;
        if (length_of(move) > radius / 2) move = s.mean;
        c = {c.row + move.row, c.col + move.col};
        if (length_of(move) > rest) continue;
        if (!firm) return out;
        Matrix2 const inverse = grip.inverse();
        Matrix2 const v =
            inverse * (s.scatter * (1 / (s.counts * s.counts))) * inverse.transposed();
        return {OriginReason::measured, c, {v.rr, v.cc, v.rc}};
    }
    return out;
}

}  // namespace sluice::crystal
