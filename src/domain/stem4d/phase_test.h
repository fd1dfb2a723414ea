// Test fields: phases whose centres of mass are known, and detectors that lie askew.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "sluice/stem4d.h"

namespace sluice::stem4d {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Round atoms of one width at given places; a phase with its exact gradient.
struct Atoms {
    std::vector<Point> places;
    double sigma = 3;

    double phase(Point at) const {
        double sum = 0;
        for (Point p : places) sum += falloff(p, at, sigma);
        return sum;
    }
    Point gradient(Point at) const {
        Point g;
        for (Point p : places) {
            double const e = falloff(p, at, sigma) / (sigma * sigma);
            g.row -= (at.row - p.row) * e, g.col -= (at.col - p.col) * e;
        }
        return g;
    }
    static double falloff(Point p, Point at, double sigma) {
        double const far = square(p, at) / (2 * sigma * sigma);
        return far < 40 ? std::exp(-far) : 0;  // less than the last bit of the sum, and fast
    }
    static double square(Point p, Point at) {
        return (at.row - p.row) * (at.row - p.row) + (at.col - p.col) * (at.col - p.col);
    }
};

/// The position of element i of an image.
inline Point place(index i, index cols) {
    index const row = i / cols;
    return {static_cast<double>(row), static_cast<double>(i % cols)};
}

/// Some beyond the border, so that others are cut by it.
inline Atoms random_atoms(index rows, index cols, int count, unsigned seed) {
    std::mt19937 random(seed);
    Atoms atoms;
    for (int i = 0; i < count; ++i)
        atoms.places.push_back({std::uniform_real_distribution<double>(-5, rows + 5.0)(random),
                                std::uniform_real_distribution<double>(-5, cols + 5.0)(random)});
    return atoms;
}

inline VectorField zeros(index rows, index cols) {
    return {Array<double>::zeros({rows, cols}), Array<double>::zeros({rows, cols})};
}

inline VectorField field_of(Atoms const& atoms, index rows, index cols) {
    VectorField f = zeros(rows, cols);
    for (index i = 0; i < rows * cols; ++i) {
        Point const g = atoms.gradient(place(i, cols));
        f.row.values[i] = g.row, f.col.values[i] = g.col;
    }
    return f;
}

/// What a detector that rotate(..., rotation) sets right would see: rotate() undone.
inline VectorField seen_by(VectorField const& truth, Rotation const& rotation) {
    double const t = rotation.degrees * std::acos(-1.0) / 180;
    VectorField out = truth;
    for (std::size_t i = 0; i < out.row.values.size(); ++i) {
        double const h = truth.row.values[i], k = truth.col.values[i];
        out.row.values[i] = std::cos(t) * h + std::sin(t) * k;
        out.col.values[i] = -std::sin(t) * h + std::cos(t) * k;
        if (rotation.transpose) std::swap(out.row.values[i], out.col.values[i]);
    }
    return out;
}

/// White noise of a standard deviation of `part` of the field's rms component.
inline void add_noise(VectorField& f, double part, unsigned seed) {
    double square = 0;
    for (auto const* a : {&f.row, &f.col})
        for (double v : a->values) square += v * v;
    double const rms = std::sqrt(square / (2.0 * f.row.values.size()));
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, part * rms);
    for (auto* a : {&f.row, &f.col})
        for (double& v : a->values) v += normal(random);
}

inline void shift(VectorField& f, double row, double col) {
    for (double& v : f.row.values) v += row;
    for (double& v : f.col.values) v += col;
}

inline double largest_difference(Array<double> const& a, Array<double> const& b) {
    double most = a.shape == b.shape ? 0 : 1e300;
    for (std::size_t i = 0; i < std::min(a.values.size(), b.values.size()); ++i)
        most = std::max(most, std::abs(a.values[i] - b.values[i]));
    return most;
}

}  // namespace sluice::stem4d
