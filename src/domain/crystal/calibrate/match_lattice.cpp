// match_lattice: which zone of a crystal a lattice is, and the pixel size and distortion by it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "domain/crystal/calibrate/check.h"
#include "domain/crystal/calibrate/lattice_mean.h"
#include "domain/crystal/calibrate/zones.h"

namespace sluice::stem4d {
namespace {

using crystal::LatticeMean;
using crystal::Matrix2;
using crystal::ZoneLattice;

// Shapes are measured no better than this part by a detector that is not calibrated; a zone of
// higher indices is less likely; and the pixel size that is stated may be wrong by much.
constexpr double least_shape = 0.01, simple = 0.25, belief = 0.3;
// Scores, in nats, that lie so near are told as alternatives.
constexpr double nearly_as_good = 6, same_scale = 0.01;

// Of M = S R, S symmetric: how far detector and theory are apart. S is C^-1 over the pixel size.
struct Stretch {
    double pixel_size = 0, along = 0, across = 0;
};
// log S of a symmetric matrix of two by its eigenvalues.
Stretch stretch_of(Matrix2 const& m) {
    Matrix2 const square = m * m.transposed();  // S^2
    double const half = square.trace() / 2,
                 apart = std::hypot((square.rr - square.cc) / 2, square.rc);
    double const low = std::log(half - apart) / 2, high = std::log(half + apart) / 2;
    double const size = apart > 1e-300 ? (high - low) / 2 / apart : 0;
    return {std::exp(-(low + high) / 2), -size * (square.rr - square.cc) / 2, -size * square.rc};
}

struct ZoneCandidate {
    ZoneLattice lattice;
    std::array<int, 4> turn{};  // of theory's a and b, to the measured ones
    Stretch stretch = {};
    double score = 0;
};

Matrix2 columns_of(ZoneLattice const& l) {
    double const a = std::sqrt(l.aa), x = l.ab / a;
    return {a, x, 0, std::sqrt(std::max(l.bb - x * x, 0.0))};
}
Matrix2 theory_of(ZoneLattice const& l, std::array<int, 4> const& n) {
    return columns_of(l) * Matrix2{static_cast<double>(n[0]), static_cast<double>(n[1]),
                                   static_cast<double>(n[2]), static_cast<double>(n[3])};
}

// Both bases are short, so that small numbers lead from one to the other.
std::vector<std::array<int, 4>> const& turns() {
    static std::vector<std::array<int, 4>> const all = [] {
        std::vector<std::array<int, 4>> list;
        for (int i = -2; i <= 2; ++i)
            for (int j = -2; j <= 2; ++j)
                for (int k = -2; k <= 2; ++k)
                    for (int l = -2; l <= 2; ++l)
                        if (std::abs(i * l - j * k) == 1) list.push_back({i, j, k, l});
        // Of turns that symmetry makes alike the one that reads best is taken.
        auto const size = [](std::array<int, 4> const& n) {
            int sum = 0;
            for (int x : n) sum += 4 * std::abs(x) + (x < 0);
            return sum;
        };
        std::ranges::stable_sort(list, {}, size);
        return list;
    }();
    return all;
}

// The turn with the least distortion.
ZoneCandidate best_of(ZoneLattice const& lattice, Matrix2 const& measured) {
    ZoneCandidate best{.lattice = lattice};
    double least = INFINITY;
    for (auto const& n : turns()) {
        Matrix2 const m = measured * theory_of(lattice, n).inverse();
        if (!(m.determinant() > 0)) continue;
        Stretch const s = stretch_of(m);
        double const shape = std::hypot(s.along, s.across);
        // The first of equal ones: symmetry makes several.
        if (!(shape < least - 1e-9)) continue;
        least = shape, best.turn = n, best.stretch = s;
    }
    return best;
}

Indices combined(ZoneLattice const& l, int i, int j) {
    return {i * l.a[0] + j * l.b[0], i * l.a[1] + j * l.b[1], i * l.a[2] + j * l.b[2]};
}

std::string text_of_indices(Indices const& n) {
    return fmt::format("{} {} {}", n[0], n[1], n[2]);
}

std::vector<ZoneCandidate> zone_candidates(LatticeMean const& mean, UnitCell const& cell,
                                           SizeOptions const& o, double shape_error,
                                           ZoneCandidate& nearest) {
    std::vector<ZoneCandidate> all;
    double least = INFINITY;
    for (Indices const& zone : o.zone ? std::vector{*o.zone} : crystal::zones_up_to(o.most_zone)) {
        auto const lattice = crystal::zone_lattice(cell, zone);
        if (!lattice) continue;
        ZoneCandidate c = best_of(*lattice, mean.columns());
        double const shape = std::expm1(2 * std::hypot(c.stretch.along, c.stretch.across));
        if (shape < least) least = shape, nearest = c;
        if (shape > o.tolerance) continue;
        double const x = shape / std::hypot(least_shape, shape_error),
                     s = o.stated > 0 ? std::log(c.stretch.pixel_size / o.stated) / belief : 0;
        int const size = zone[0] * zone[0] + zone[1] * zone[1] + zone[2] * zone[2];
        c.score = x * x / 2 + simple * size + s * s / 2;
        all.push_back(c);
    }
    std::ranges::stable_sort(all, {}, &ZoneCandidate::score);
    return all;
}

// Errors by the slopes of the three numbers.
void put_numbers(LatticeMean const& mean, ZoneCandidate const& c, SizeOptions const& o,
                 SizeFit& out) {
    Matrix2 const inverse = theory_of(c.lattice, c.turn).inverse();
    std::array<std::array<double, 4>, 3> by{};
    for (std::size_t i = 0; i < 4; ++i) {
        double const h = 1e-5 * (std::abs(mean.numbers[i]) + 1);
        LatticeMean high = mean, low = mean;
        high.numbers[i] += h, low.numbers[i] -= h;
        Stretch const more = stretch_of(high.columns() * inverse),
                      less = stretch_of(low.columns() * inverse);
        by[0][i] = (more.pixel_size - less.pixel_size) / (2 * h);
        by[1][i] = (more.along - less.along) / (2 * h);
        by[2][i] = (more.across - less.across) / (2 * h);
    }
    out.pixel_size = c.stretch.pixel_size;
    out.error = std::sqrt(mean.carried(by[0], by[0]));
    if (o.distortion == DistortionModel::none) return;
    out.distortion.along = c.stretch.along;
    out.distortion.covariance[0] = mean.carried(by[1], by[1]);
    if (o.distortion == DistortionModel::rectangular) return;
    out.distortion.across = c.stretch.across;
    out.distortion.covariance[1] = mean.carried(by[2], by[2]);
    out.distortion.covariance[2] = mean.carried(by[1], by[2]);
}

double shape_error_of(LatticeMean const& mean) {
    double const a = std::hypot(mean.numbers[0], mean.numbers[1]),
                 b = std::hypot(mean.numbers[2], mean.numbers[3]);
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += mean.covariance[i][i];
    return std::sqrt(sum) / std::min(a, b);
}

Error no_zone(LatticeMean const& mean, UnitCell const& cell, SizeOptions const& o,
              ZoneCandidate const& nearest) {
    double const a = std::hypot(mean.numbers[0], mean.numbers[1]),
                 b = std::hypot(mean.numbers[2], mean.numbers[3]);
    double const angle =
        std::acos(crystal::dot(mean.at(1, 0), mean.at(0, 1)) / (a * b)) * 180 / std::numbers::pi;
    return {
        Code::invalid_argument,
        fmt::format("no zone of {} has a lattice of {:.3f} and {:.3f} px at {:.2f} degrees (the "
                    "nearest one, [{}], would be distorted by {:.1f} %, and the tolerance is "
                    "{:.1f} %) check the crystal, name the zone, or widen the tolerance",
                    cell.name.empty() ? "the cell" : cell.name, a, b, angle,
                    text_of_indices(nearest.lattice.zone),
                    100 * std::expm1(2 * std::hypot(nearest.stretch.along, nearest.stretch.across)),
                    100 * o.tolerance)};
}

}  // namespace

Result<SizeFit> match_lattice(LatticeFit const& lattice, UnitCell const& cell,
                              SizeOptions const& options) {
    SLUICE_CHECK(crystal::check_size_options(options));
    SLUICE_CHECK(check_cell(cell));
    SLUICE_TRY(LatticeMean const mean, crystal::mean_of(lattice));
    ZoneCandidate nearest;
    auto const all = zone_candidates(mean, cell, options, shape_error_of(mean), nearest);
    if (all.empty()) return no_zone(mean, cell, options, nearest);
    ZoneCandidate const& best = all.front();
    SizeFit out;
    put_numbers(mean, best, options, out);
    auto const& [i, j, k, l] = best.turn;
    out.zone = best.lattice.zone;
    out.a = combined(best.lattice, i, k), out.b = combined(best.lattice, j, l);
    Matrix2 const g = theory_of(best.lattice, best.turn);
    Point const a{g.rr, g.cr}, b{g.rc, g.cc};
    double const la = crystal::length_of(a), lb = crystal::length_of(b);
    out.lattice = LatticeSpacings{
        1 / la, 1 / lb, std::acos(crystal::dot(a, b) / (la * lb)) * 180 / std::numbers::pi,
        out.pixel_size};
    auto const c = out.distortion.correction();
    auto const add = [&](Point at, double frequency, Indices const& hkl) {
        double const r = std::hypot(c[0] * at.row + c[1] * at.col, c[1] * at.row + c[2] * at.col);
        out.rings.push_back({r, frequency, "(" + text_of_indices(hkl) + ")", mean.patterns,
                             r * out.pixel_size / frequency - 1});
    };
    add(mean.at(1, 0), la, *out.a), add(mean.at(0, 1), lb, *out.b);
    out.notes.push_back(fmt::format(
        "the lattice is zone [{}] of {}: a is ({}) and b is ({}); {} patterns take part, {} that "
        "lie apart do not",
        text_of_indices(*out.zone), cell.name.empty() ? "the cell" : cell.name,
        text_of_indices(*out.a), text_of_indices(*out.b), mean.patterns, mean.others));
    out.notes.push_back(crystal::describe(out.distortion, options.distortion));
    if (options.distortion != DistortionModel::none)
        out.notes.emplace_back(
            "a strain that the whole scan shares is taken as distortion and pixel size: measure on "
            "a crystal without strain");
    for (ZoneCandidate const& other : all) {
        if (other.score > best.score + nearly_as_good) break;
        auto const alike = [&](double s) {
            return std::abs(std::log(other.stretch.pixel_size / s)) < same_scale;
        };
        if (alike(best.stretch.pixel_size) ||
            std::ranges::any_of(out.alternatives,
                                [&](auto const& a) { return alike(a.pixel_size); }))
            continue;
        out.alternatives.push_back({fmt::format("zone [{}]", text_of_indices(other.lattice.zone)),
                                    other.stretch.pixel_size});
        out.notes.push_back(
            fmt::format("ambiguous: the lattice is nearly as well {}, with pixels of "
                        "{:.6g} 1/Å; name the zone where you know it",
                        out.alternatives.back().name, other.stretch.pixel_size));
    }
    crystal::add_stated(options.stated, out.pixel_size, out.error, out.notes);
    return out;
}

}  // namespace sluice::stem4d
