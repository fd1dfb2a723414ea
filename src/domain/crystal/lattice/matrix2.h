// Matrix2: matrices of two rows and columns, of vectors (row, column).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "sluice/lattice.h"

namespace sluice::crystal {

/// [row][column]: `rc` is in the first row and second column.
struct Matrix2 {
    double rr = 0, rc = 0, cr = 0, cc = 0;

    double determinant() const { return rr * cc - rc * cr; }
    double trace() const { return rr + cc; }
    Matrix2 transposed() const { return {rr, cr, rc, cc}; }
    /// Of one whose determinant is not 0.
    Matrix2 inverse() const {
        double const d = determinant();
        return {cc / d, -rc / d, -cr / d, rr / d};
    }
    stem4d::Point operator*(stem4d::Point p) const {
        return {rr * p.row + rc * p.col, cr * p.row + cc * p.col};
    }
    Matrix2 operator*(Matrix2 const& o) const {
        return {rr * o.rr + rc * o.cr, rr * o.rc + rc * o.cc, cr * o.rr + cc * o.cr,
                cr * o.rc + cc * o.cc};
    }
    Matrix2 operator*(double x) const { return {rr * x, rc * x, cr * x, cc * x}; }
    Matrix2 operator+(Matrix2 const& o) const {
        return {rr + o.rr, rc + o.rc, cr + o.cr, cc + o.cc};
    }
    Matrix2 operator-(Matrix2 const& o) const { return *this + o * -1; }
};

/// Turns the row axis towards the column axis.
inline Matrix2 turn_by(double radians) {
    double const c = std::cos(radians), s = std::sin(radians);
    return {c, -s, s, c};
}

/// The two vectors as columns.
inline Matrix2 columns_of(stem4d::LatticeBasis const& basis) {
    return {basis.a.row, basis.b.row, basis.a.col, basis.b.col};
}

inline double length_of(stem4d::Point p) {
    return std::sqrt(p.row * p.row + p.col * p.col);
}
inline double dot(stem4d::Point p, stem4d::Point q) {
    return p.row * q.row + p.col * q.col;
}
inline double cross(stem4d::Point p, stem4d::Point q) {
    return p.row * q.col - p.col * q.row;
}

/// The nearest whole number of |x| < 2^51, without a call of the library; half to even.
inline double nearest(double x) {
    constexpr double shift = 6755399441055744.0;  // 1.5 * 2^52
    return (x + shift) - shift;
}

}  // namespace sluice::crystal
