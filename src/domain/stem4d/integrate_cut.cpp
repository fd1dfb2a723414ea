// Least squares of splines: cubic splines through each line of the field give the differences
// between neighbours, and a cosine transform the image that fits all of them best (Huang, Xue, Gao,
// Zuo and Idir, Optics and Lasers in Engineering 91, 221, 2017).
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/integrate_cut.h"

#include <cmath>
#include <numbers>

namespace sluice::stem4d {
namespace {

using Complex = fft::Complex<double>;

// The second derivatives of the cubic spline through equidistant values ("not a knot": the third
// derivative has no jump beside the ends). Two values have none, three are on a parabola.
void curvatures(std::vector<double> const& g, std::vector<double>& m,
                std::vector<double>& scratch) {
    std::size_t const n = g.size();
    m.assign(n, 0.0);
    if (n < 3) return;
    auto const second = [&](std::size_t i) { return g[i - 1] - 2 * g[i] + g[i + 1]; };
    // The condition at the ends makes these two explicit, and the rest a tridiagonal system.
    m[1] = second(1), m[n - 2] = second(n - 2);
    scratch.assign(n, 0.0);
    for (std::size_t i = 2; i + 2 < n; ++i) {
        double const pivot = 4 - scratch[i - 1];
        scratch[i] = 1 / pivot;
        m[i] = (6 * second(i) - (i == 2 ? m[1] : m[i - 1])) / pivot;
        if (i + 3 == n) m[i] -= m[n - 2] / pivot;
    }
    for (std::size_t i = n - 3; i-- > 2;) m[i] -= scratch[i] * m[i + 1];
    m[0] = n > 3 ? 2 * m[1] - m[2] : m[1];
    m[n - 1] = n > 3 ? 2 * m[n - 2] - m[n - 3] : m[1];
}

// onto[i] += what flows into sample i: the spline's integral before it less that after it.
void add_flow(std::vector<double> const& g, std::vector<double>& onto, std::vector<double>& m,
              std::vector<double>& scratch) {
    curvatures(g, m, scratch);
    onto.assign(g.size(), 0.0);
    for (std::size_t i = 0; i + 1 < g.size(); ++i) {
        double const change = (g[i] + g[i + 1]) / 2 - (m[i] + m[i + 1]) / 24;
        onto[i + 1] += change, onto[i] -= change;
    }
}

double difference_energy(index k, index n) {
    return 2 - 2 * std::cos(std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
}

}  // namespace

Status integrate_cut(View<Complex, 2> z) {
    index const rows = z.extent(0), cols = z.extent(1);
    std::vector<double> line, flow, m, scratch, sum(static_cast<std::size_t>(rows * cols));
    for (index c = 0; c < cols; ++c) {
        line.clear();
        for (index r = 0; r < rows; ++r) line.push_back(z(r, c).real());
        add_flow(line, flow, m, scratch);
        for (index r = 0; r < rows; ++r)
            sum[static_cast<std::size_t>(r * cols + c)] = flow[static_cast<std::size_t>(r)];
    }
    for (index r = 0; r < rows; ++r) {
        line.clear();
        for (index c = 0; c < cols; ++c) line.push_back(z(r, c).imag());
        add_flow(line, flow, m, scratch);
        for (index c = 0; c < cols; ++c)
            z(r, c) =
                sum[static_cast<std::size_t>(r * cols + c)] + flow[static_cast<std::size_t>(c)];
    }
    // The normal equations are a second difference that ends at the edges: diagonal in cosines.
    SLUICE_TRY(auto const plan, fft::CosinePlan::make(rows, cols));
    SLUICE_CHECK(plan.forward(z));
    for (index k = 0; k < rows; ++k)
        for (index l = 0; l < cols; ++l)
            z(k, l) = k + l > 0
                          ? z(k, l) / (difference_energy(k, rows) + difference_energy(l, cols))
                          : Complex{};
    return plan.inverse(z);
}

}  // namespace sluice::stem4d
