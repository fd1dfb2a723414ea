// Descan: the part of a field of centres of mass that is linear in the scan position.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/gradient.h"

namespace sluice::stem4d {
namespace {

// Sums of products of the position, and of it with one component, about the middle of the scan.
struct Sums {
    double n = 0, r = 0, c = 0, rr = 0, rc = 0, cc = 0;
};
struct Plane {
    double mean = 0, per_row = 0, per_col = 0;
};

Plane fit(Sums const& s, double v, double rv, double cv) {
    // About the known positions' own middle the mean separates from the slopes.
    double const rr = s.rr - s.r * s.r / s.n, cc = s.cc - s.c * s.c / s.n;
    double const rc = s.rc - s.r * s.c / s.n;
    double const rowv = rv - s.r * v / s.n, colv = cv - s.c * v / s.n;
    double const determinant = rr * cc - rc * rc;
    Plane p;
    // Positions on one line determine the slope along it only.
    if (determinant > 1e-9 * rr * cc) {
        p.per_row = (rowv * cc - colv * rc) / determinant;
        p.per_col = (colv * rr - rowv * rc) / determinant;
    } else if (rr > 0 || cc > 0) {
        p.per_row = rr >= cc ? rowv / rr : 0;
        p.per_col = rr >= cc ? 0 : colv / cc;
    }
    p.mean = (v - p.per_row * s.r - p.per_col * s.c) / s.n;
    return p;
}

double row_of(index i, index cols) {
    index const row = i / cols;
    return static_cast<double>(row);
}
double col_of(index i, index cols) {
    return static_cast<double>(i % cols);
}

}  // namespace

Result<VectorField> remove_descan(Array<double> const& row, Array<double> const& col) {
    SLUICE_CHECK(check_field(row, col));
    index const rows = row.shape[0], cols = row.shape[1];
    double const middle_row = static_cast<double>(rows - 1) / 2;
    double const middle_col = static_cast<double>(cols - 1) / 2;
    Sums s;
    double v[2] = {}, rv[2] = {}, cv[2] = {};
    for (index i = 0; i < row.size(); ++i) {
        auto const k = static_cast<std::size_t>(i);
        double const value[2] = {row.values[k], col.values[k]};
        if (!is_known(value[0], value[1])) continue;
        double const r = row_of(i, cols) - middle_row, c = col_of(i, cols) - middle_col;
        s.n += 1, s.r += r, s.c += c, s.rr += r * r, s.rc += r * c, s.cc += c * c;
        for (int j = 0; j < 2; ++j) v[j] += value[j], rv[j] += r * value[j], cv[j] += c * value[j];
    }
    VectorField out{row, col};
    if (s.n == 0) return out;
    for (int j = 0; j < 2; ++j) {
        Plane const p = fit(s, v[j], rv[j], cv[j]);
        Array<double>& part = j == 0 ? out.row : out.col;
        for (index i = 0; i < part.size(); ++i)
            part.values[static_cast<std::size_t>(i)] -= p.mean +
                                                        p.per_row * (row_of(i, cols) - middle_row) +
                                                        p.per_col * (col_of(i, cols) - middle_col);
    }
    return out;
}

}  // namespace sluice::stem4d
