// Steps of Fisher's scoring, and what keeps them sane.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/fit/scoring.h"

#include <algorithm>
#include <cmath>

#include "domain/crystal/away.h"
#include "domain/crystal/fit/null_model.h"
#include "domain/crystal/fit/solve.h"

namespace sluice::crystal {
namespace {

constexpr double largest_move = 0.7, farthest = 4;  // pixels: of a step, and from the start
constexpr double enough = 0.02;  // of the quadratic form: what is left is of second order
constexpr int least_steps = 2, most_steps = 3, most_steps_of_edge = 4;
// Where the frame's edge or bad pixels cut a disk, candidates are farther off.
constexpr int most_steps_of_cut = 10;

class Scoring {
  public:
    Scoring(FitKernels const& kernels, Tables const& tables, Padded const& pattern, CropRoom& crop,
            DiskState const& start, Part part)
        : kernels_(kernels),
          tables_(tables),
          pattern_(pattern),
          room_(crop),
          start_(start),
          part_(part) {
        fit_.disk = start;
    }

    DiskFit run() {
        for (int step = 1; !done_; ++step)
            if (!take_step(step)) return fit_;
        fit_.converged = true;
        errors();
        Crop const crop = cut();
        Model const without = null_model(kernels_, crop, fit_.disk.model);
        fit_.score = 2 * kernels_.gain(crop, fit_.disk.model, without);
        return fit_;
    }

  private:
    Crop cut() {
        DiskState& d = fit_.disk;
        if (!room_.holds(d.row, d.col, part_)) {
            double const row = room_.first_row(), col = room_.first_col();
            room_.cut(pattern_, d.row, d.col, part_);
            if (moved_) keep_plane(room_.first_row() - row, room_.first_col() - col);
        }
        moved_ = true;
        return room_.at(d.row, d.col, d.model);
    }

    // The plane's middle moves with the crop.
    void keep_plane(double rows, double cols) {
        Model& m = fit_.disk.model;
        double const half = static_cast<double>(tables_.side()) / 2;
        double const there = m.background + (m.slope_row * rows + m.slope_col * cols) / half;
        m.background = std::max(there, m.background / 4);
    }

    bool take_step(int step) {
        Crop const crop = cut();
        ScoreSums const sums = kernels_.score(crop, fit_.disk.model);
        int const n = unknowns_of(crop);
        if (!factors_.factor(sums.fisher, n)) return false;
        auto const by = factors_.solve(sums.slopes);
        double form = 0;
        for (std::size_t a = 0; a < static_cast<std::size_t>(n); ++a)
            form += by[a] * sums.slopes[a];
        bool const whole = apply(by, crop);
        DiskState const& d = fit_.disk;
        // Written so that NaN fails.
        if (!(away(d.row - start_.row, d.col - start_.col) <= farthest)) return false;
        int const usual = part_ == Part::edge ? most_steps_of_edge : most_steps;
        int const most = room_.visible() < 0.999 ? most_steps_of_cut : usual;
        done_ = step >= most || (step >= least_steps && whole && form < enough);
        return true;
    }

    // Whether the step was taken as it is.
    bool apply(std::array<double, Cholesky::most> const& by, Crop const& crop) {
        DiskState& d = fit_.disk;
        Model& m = d.model;
        double const length = away(by[2], by[3]);
        double const part = length > largest_move ? largest_move / length : 1;
        m.background = std::clamp(m.background + by[0], m.background / 4, 4 * m.background + 1e-4);
        m.height = std::clamp(m.height + by[1], 0.3 * m.height, 3 * m.height);
        d.row += part * by[2];
        d.col += part * by[3];
        if (!crop.shape) {
            double const most = 0.85 * m.background;
            m.slope_row = std::clamp(m.slope_row + by[4], -most, most);
            m.slope_col = std::clamp(m.slope_col + by[5], -most, most);
        }
        if (crop.around) {
            auto const first = static_cast<std::size_t>(unknowns_of(crop) - 4);
            double const most = 1.2 * m.height;
            for (std::size_t k = 0; k < 4; ++k)
                m.around[k] = std::clamp(m.around[k] + by[first + k], -most, most);
        }
        return part == 1;
    }

    void errors() {
        auto const column = [&](std::size_t a) {
            std::array<double, Cholesky::most> unit{};
            unit[a] = 1;
            return factors_.solve(unit);
        };
        auto const by_row = column(2), by_col = column(3);
        fit_.var_row = by_row[2], fit_.var_col = by_col[3], fit_.cov = by_row[3];
        fit_.var_height = column(1)[1];
        inflate(tables_.edge_width(), fit_);
    }

    FitKernels const& kernels_;
    Tables const& tables_;
    Padded const& pattern_;
    CropRoom& room_;
    DiskState start_;
    Part part_;
    DiskFit fit_ = {};
    Cholesky factors_;
    bool done_ = false, moved_ = false;
};

}  // namespace

void inflate(double width, DiskFit& fit) {
    auto const more = [&](double v) { return 1 + 5 * v / (width * width); };
    double const rows = more(fit.var_row), cols = more(fit.var_col);
    fit.var_row *= rows;
    fit.var_col *= cols;
    fit.cov *= std::sqrt(rows * cols);
}

DiskFit fit_disk(FitKernels const& kernels, Tables const& tables, Padded const& pattern,
                 CropRoom& crop, DiskState start, Part part) {
    return Scoring(kernels, tables, pattern, crop, start, part).run();
}

}  // namespace sluice::crystal
