// The rotation between scan and detector that leaves the least curl, in closed form.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>
#include <numbers>

#include "domain/stem4d/gradient.h"
#include "domain/stem4d/slopes.h"

namespace sluice::stem4d {
namespace {

constexpr double degree = std::numbers::pi / 180;

struct Moments {
    index positions = 0;
    Slopes mean;
    double curl2 = 0, divergence2 = 0, both = 0;  // sums of squares and products about the mean

    double all() const { return curl2 + divergence2; }
};

// About the mean, because the constant slopes of a linear field come from descan.
Moments moments_of(Array<double> const& row, Array<double> const& col, bool transpose) {
    Moments m;
    for_each_inner(row, col, transpose, [&](Slopes s, index, index) {
        m.mean.curl += s.curl, m.mean.divergence += s.divergence;
        ++m.positions;
    });
    if (m.positions == 0) return m;
    m.mean.curl /= static_cast<double>(m.positions);
    m.mean.divergence /= static_cast<double>(m.positions);
    for_each_inner(row, col, transpose, [&](Slopes s, index, index) {
        double const a = s.curl - m.mean.curl, b = s.divergence - m.mean.divergence;
        m.curl2 += a * a, m.divergence2 += b * b, m.both += a * b;
    });
    return m;
}

struct Turned {
    double ratio = 0;        // rms curl over rms divergence
    double third_power = 0;  // sum of the cubes of the divergence about its mean: its skewness
};

Turned turn(Array<double> const& row, Array<double> const& col, Moments const& m,
            Rotation const& rotation) {
    double const cos = std::cos(rotation.degrees * degree),
                 sin = std::sin(rotation.degrees * degree);
    double curl2 = 0, divergence2 = 0, cubes = 0;
    for_each_inner(row, col, rotation.transpose, [&](Slopes s, index, index) {
        double const a = s.curl - m.mean.curl, b = s.divergence - m.mean.divergence;
        double const curl = cos * a + sin * b, divergence = cos * b - sin * a;
        curl2 += curl * curl, divergence2 += divergence * divergence;
        cubes += divergence * divergence * divergence;
    });
    return {std::sqrt(curl2 / divergence2), cubes};
}

// The mean square of cos t a + sin t b, with a curl and b divergence, is a constant plus
// (A - B)/2 cos 2t + C sin 2t: least where (cos 2t, sin 2t) points away from ((A - B)/2, C).
double best_degrees(Moments const& m) {
    return std::atan2(-2 * m.both, m.divergence2 - m.curl2) / 2 / degree;
}

// Both transposes have nearly the same sum of curl and divergence, so that their ratios compare.
Rotation best_of_both(Array<double> const& row, Array<double> const& col,
                      Moments const (&moments)[2]) {
    Rotation best;
    Turned best_turned;
    for (bool transpose : {false, true}) {
        Rotation rotation{best_degrees(moments[transpose]), transpose, 0};
        Turned const turned = turn(row, col, moments[transpose], rotation);
        if (transpose && !(turned.ratio < best_turned.ratio)) continue;
        best = rotation, best_turned = turned;
    }
    best.curl_over_divergence = best_turned.ratio;
    if (best_turned.third_power > 0) best.degrees += best.degrees > 0 ? -180 : 180;
    return best;
}

}  // namespace

double curl_over_divergence(Array<double> const& row, Array<double> const& col,
                            Rotation const& rotation) {
    Moments const m = moments_of(row, col, rotation.transpose);
    if (!(m.all() > 0)) return std::numeric_limits<double>::quiet_NaN();
    return turn(row, col, m, rotation).ratio;
}

Result<Rotation> find_rotation(Array<double> const& row, Array<double> const& col) {
    SLUICE_CHECK(check_field(row, col));
    if (row.shape[0] < 3 || row.shape[1] < 3)
        return Error{Code::invalid_argument,
                     fmt::format("no rotation can be found in a scan of {}x{} (curl needs "
                                 "neighbours on all sides, 3x3 positions at least); give it",
                                 row.shape[0], row.shape[1])};
    Moments const moments[] = {moments_of(row, col, false), moments_of(row, col, true)};
    FieldMean const field = mean_of(row, col);
    // Slopes that are rounding errors of the coordinates have no direction.
    double const rounding = 1e-13 * (std::abs(field.mean.row) + std::abs(field.mean.col));
    double const nothing = static_cast<double>(moments[0].positions) * rounding * rounding;
    if (!(moments[0].all() > nothing) && !(moments[1].all() > nothing))
        return Error{Code::invalid_argument,
                     fmt::format("no rotation can be found (curl and divergence are the same at "
                                 "all {} positions that have neighbours on all sides); give it",
                                 moments[0].positions)};
    Rotation best = best_of_both(row, col, moments);
    judge(best, row, col);
    return best;
}

Result<VectorField> rotate(Array<double> const& row, Array<double> const& col,
                           Rotation const& rotation) {
    SLUICE_CHECK(check_field(row, col));
    if (!std::isfinite(rotation.degrees))
        return Error{Code::invalid_argument,
                     fmt::format("{} is not a rotation; give degrees", rotation.degrees)};
    Point const mean = mean_of(row, col).mean;
    double const cos = std::cos(rotation.degrees * degree),
                 sin = std::sin(rotation.degrees * degree);
    VectorField out{Array<double>::zeros(row.shape), Array<double>::zeros(row.shape)};
    for (std::size_t i = 0; i < row.values.size(); ++i) {
        double u = row.values[i] - mean.row, v = col.values[i] - mean.col;
        if (rotation.transpose) std::swap(u, v);
        out.row.values[i] = cos * u - sin * v;
        out.col.values[i] = sin * u + cos * v;
    }
    return out;
}

}  // namespace sluice::stem4d
