// Robust circle fit: circles through triples of points, then least squares on the best one's.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/circle_fit.h"

#include <cmath>

namespace sluice::stem4d {
namespace {

Disk through(Point a, Point b, Point c) {
    double const bx = b.row - a.row, by = b.col - a.col, cx = c.row - a.row, cy = c.col - a.col;
    double const det = 2 * (bx * cy - by * cx);
    if (std::abs(det) < 1e-9) return {};
    double const b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    double const x = (cy * b2 - by * c2) / det, y = (bx * c2 - cx * b2) / det;
    return {{a.row + x, a.col + y}, std::hypot(x, y)};
}

double distance(Disk const& d, Point p) {
    return std::hypot(p.row - d.center.row, p.col - d.center.col) - d.radius;
}

// One Gauss-Newton step on the geometric distances of the inliers.
void refine(Disk& d, std::span<Point const> points, double tolerance) {
    double m[3][4] = {};
    for (Point p : points) {
        double const r = distance(d, p);
        if (std::abs(r) > tolerance) continue;
        double const length = r + d.radius;
        if (length < 1e-9) continue;
        double const j[3] = {-(p.row - d.center.row) / length, -(p.col - d.center.col) / length,
                             -1};
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) m[a][b] += j[a] * j[b];
            m[a][3] -= j[a] * r;
        }
    }
    for (int a = 0; a < 3; ++a) {
        if (std::abs(m[a][a]) < 1e-12) return;
        for (int b = a + 1; b < 3; ++b) {
            double const f = m[b][a] / m[a][a];
            for (int k = a; k < 4; ++k) m[b][k] -= f * m[a][k];
        }
    }
    double x[3] = {};
    for (int a = 2; a >= 0; --a) {
        double s = m[a][3];
        for (int b = a + 1; b < 3; ++b) s -= m[a][b] * x[b];
        x[a] = s / m[a][a];
    }
    d.center.row += x[0], d.center.col += x[1], d.radius += x[2];
}

}  // namespace

Disk fit_circle(std::span<Point const> points, double tolerance, double largest_radius) {
    std::size_t const n = points.size();
    if (n < 6) return {};
    Disk best;
    std::size_t most = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t s = n / 12 + 1; s <= n / 3; s += n / 24 + 1) {
            Disk const d = through(points[i], points[(i + s) % n], points[(i + 2 * s) % n]);
            if (d.radius <= 0 || d.radius > largest_radius) continue;
            std::size_t inliers = 0;
            for (Point p : points) inliers += std::abs(distance(d, p)) <= tolerance;
            if (inliers > most) most = inliers, best = d;
        }
    if (most < n / 5) return {};
    for (int step = 0; step < 10; ++step) refine(best, points, tolerance);
    return best;
}

}  // namespace sluice::stem4d
