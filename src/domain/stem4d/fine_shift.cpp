// The shift between two images that nearly coincide.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/fine_shift.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fft/fft.h"
#include "fft/frequency.h"

namespace sluice::stem4d {
namespace {

using Complex = fft::Complex<double>;
constexpr double pi = std::numbers::pi;

// 1 inside, a quarter of a cosine's period over an eighth of the length at each end.
std::vector<double> taper(index n) {
    std::vector<double> out(static_cast<std::size_t>(n), 1.0);
    if (n < 2) return out;
    double const fade = static_cast<double>(n) / 8;
    for (index i = 0; i < n; ++i) {
        double const depth = static_cast<double>(std::min(i, n - 1 - i)) + 0.5;
        if (depth < fade)
            out[static_cast<std::size_t>(i)] = std::pow(std::sin(pi / 2 * depth / fade), 2);
    }
    return out;
}

// Radians per point; 0 for the alternating wave, whose shift has no sign.
std::vector<double> radians(index n) {
    std::vector<double> out(static_cast<std::size_t>(n));
    for (index i = 0; i < n; ++i)
        if (2 * i != n)
            out[static_cast<std::size_t>(i)] =
                2 * pi * static_cast<double>(fft::frequency(i, n)) / static_cast<double>(n);
    return out;
}

// What two images have in common, as a function of a shift.
class Common {
  public:
    index rows = 0, cols = 0;
    std::vector<double> down = {}, across = {}, window_down = {}, window_across = {};
    std::vector<Complex> product = {};  // conj(reference) image; each has energy 1
    double energies = 0;                // sum of |reference|^2 |image|^2
    double spread = 1;                  // how much more sums over waves vary because edges fade

    struct At {
        double value = 0;
        std::array<double, 2> slope = {};
        std::array<double, 3> bend = {};  // row row, row col, col col
    };
    At at(Point d) const {
        std::vector<Complex> const r = turns(down, d.row), c = turns(across, d.col);
        At out;
        for (std::size_t i = 0; i < r.size(); ++i)
            for (std::size_t j = 0; j < c.size(); ++j) {
                Complex const v = product[i * c.size() + j] * r[i] * c[j];
                double const x = down[i], y = across[j];
                out.value += v.real();
                out.slope[0] -= x * v.imag(), out.slope[1] -= y * v.imag();
                out.bend[0] -= x * x * v.real(), out.bend[1] -= x * y * v.real(),
                    out.bend[2] -= y * y * v.real();
            }
        return out;
    }
    double phases(Point d) const {
        std::vector<Complex> const r = turns(down, d.row), c = turns(across, d.col);
        double sum = 0;
        for (std::size_t i = 0; i < product.size(); ++i) {
            double const length = std::abs(product[i]);
            if (length > 0)
                sum += (product[i] * r[i / c.size()] * c[i % c.size()]).real() / length;
        }
        return sum;
    }

  private:
    static std::vector<Complex> turns(std::vector<double> const& waves, double by) {
        std::vector<Complex> out;
        for (double const w : waves) out.push_back(std::polar(1.0, w * by));
        return out;
    }
};

// Tapered about its mean, and of energy 1.
Status to_waves(std::vector<double>& image, Common const& c, std::vector<Complex>& out) {
    auto const weight = [&](std::size_t i) {
        auto const n = static_cast<std::size_t>(c.cols);
        return c.window_down[i / n] * c.window_across[i % n];
    };
    double mean = 0, all = 0;
    for (std::size_t i = 0; i < image.size(); ++i)
        mean += weight(i) * image[i], all += weight(i);
    mean /= all;
    out.resize(image.size());
    for (std::size_t i = 0; i < image.size(); ++i) out[i] = weight(i) * (image[i] - mean);
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({.shape = {c.rows, c.cols}}));
    SLUICE_CHECK(plan.forward(std::span<Complex>(out)));
    double energy = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        auto const n = static_cast<std::size_t>(c.cols);
        bool const lone = 2 * (i / n) == static_cast<std::size_t>(c.rows) ||
                          2 * (i % n) == static_cast<std::size_t>(c.cols);
        if (lone || i == 0) out[i] = 0;
        energy += std::norm(out[i]);
    }
    for (Complex& v : out) v *= energy > 0 ? 1 / std::sqrt(energy) : 0;
    return {};
}

Result<Common> common_of(std::vector<double>& a, std::vector<double>& b, index rows, index cols) {
    Common c{.rows = rows, .cols = cols};
    c.down = radians(rows), c.across = radians(cols);
    c.window_down = taper(rows), c.window_across = taper(cols);
    std::vector<Complex> left, right;
    SLUICE_CHECK(to_waves(a, c, left));
    SLUICE_CHECK(to_waves(b, c, right));
    c.product.resize(left.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
        c.product[i] = std::conj(left[i]) * right[i];
        c.energies += std::norm(c.product[i]);
    }
    for (auto const* window : {&c.window_down, &c.window_across}) {
        double two = 0, four = 0;
        for (double const w : *window) two += w * w, four += w * w * w * w;
        c.spread *= static_cast<double>(window->size()) * four / (two * two);
    }
    return c;
}

// The best of a grid of quarters of a point, as a start.
Point coarse(Common const& c, double reach) {
    Point best;
    double most = -1e300;
    double const down = c.rows > 1 ? reach : 0, across = c.cols > 1 ? reach : 0;
    for (double r = -down; r <= down; r += 0.25)
        for (double s = -across; s <= across; s += 0.25)
            if (double const v = c.at({r, s}).value; v > most) most = v, best = {r, s};
    return best;
}

// Newton's step to the maximum; at most a quarter of a point.
Point step(Common::At const& f, bool down, bool across) {
    double a = -f.bend[0], b = -f.bend[1], d = -f.bend[2];
    if (!down) a = 1, b = 0;
    if (!across) d = 1, b = 0;
    double const det = a * d - b * b;
    Point by;
    if (a > 0 && det > 0)
        by = {(d * f.slope[0] - b * f.slope[1]) / det, (a * f.slope[1] - b * f.slope[0]) / det};
    else
        by = {f.slope[0] > 0 ? 0.1 : -0.1, f.slope[1] > 0 ? 0.1 : -0.1};
    if (!down) by.row = 0;
    if (!across) by.col = 0;
    return {std::clamp(by.row, -0.25, 0.25), std::clamp(by.col, -0.25, 0.25)};
}

// With noise power p in a wave of both images together, half of it in each, the slope of what is
// common varies by p times its bend, and by (p / 2)^2 of the waves where noise meets noise.
Point error_of(Common const& c, Common::At const& f, bool down, bool across) {
    double const waves = static_cast<double>(c.rows * c.cols);
    double const p = std::max(0.0, 2 - 2 * f.value) / waves;
    std::array<double, 3> noise{};
    for (double const x : c.down)
        for (double const y : c.across)
            noise[0] += x * x, noise[1] += x * y, noise[2] += y * y;
    double a = -f.bend[0], b = -f.bend[1], d = -f.bend[2];
    std::array<double, 3> g{};
    for (std::size_t i = 0; i < 3; ++i)
        g[i] = c.spread * (p * std::max(i == 1 ? -1e300 : 0.0, -f.bend[i]) + p * p / 4 * noise[i]);
    if (!down) a = 1, b = 0;
    if (!across) d = 1, b = 0;
    double const det = a * d - b * b;
    if (!(det > 0)) return {1e300, 1e300};
    // H^-1 G H^-1.
    double const ia = d / det, ib = -b / det, id = a / det;
    double const row = ia * (g[0] * ia + g[1] * ib) + ib * (g[1] * ia + g[2] * ib);
    double const col = ib * (g[0] * ib + g[1] * id) + id * (g[1] * ib + g[2] * id);
    return {down ? std::sqrt(std::max(row, 0.0)) : 0, across ? std::sqrt(std::max(col, 0.0)) : 0};
}

}  // namespace

Result<FineShift> fine_shift(std::vector<double> reference, std::vector<double> image, index rows,
                             index cols, double reach) {
    SLUICE_TRY(Common const c, common_of(reference, image, rows, cols));
    bool const down = rows > 1, across = cols > 1;
    Point at = coarse(c, reach);
    Common::At f = c.at(at);
    for (int i = 0; i < 20; ++i) {
        Point const by = step(f, down, across);
        at.row += by.row, at.col += by.col;
        f = c.at(at);
        if (std::abs(by.row) + std::abs(by.col) < 1e-9) break;
    }
    FineShift out{.by = at, .error = error_of(c, f, down, across)};
    // Random phases give a normal deviate of both sums: that of least squares, and that of phases
    // alone, which sees fine structure beside a bright blob.
    double const waves = static_cast<double>(rows * cols);
    if (c.energies > 0)
        out.significance = std::max(f.value / std::sqrt(c.energies), c.phases(at) / std::sqrt(waves)) /
                           std::sqrt(c.spread);
    out.inside = std::abs(at.row) <= reach + 0.5 && std::abs(at.col) <= reach + 0.5;
    return out;
}

}  // namespace sluice::stem4d
