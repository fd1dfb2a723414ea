// Interpolation along one axis after the other.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/structures/finer.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton {
namespace {

/// A place between two elements and those beside them, and what each counts.
struct Between {
    std::array<index, 4> at{};
    std::array<float, 4> weight{};
};

Between between(double place, index side) {
    double const inside = std::clamp(place, 0.0, static_cast<double>(side - 1));
    double const low =
        std::min(std::floor(inside), static_cast<double>(std::max<index>(side, 2) - 2));
    double const t = inside - low;
    Between b;
    for (index k = 0; k < 4; ++k)
        b.at[static_cast<std::size_t>(k)] =
            std::clamp<index>(static_cast<index>(low) - 1 + k, 0, side - 1);
    b.weight = {static_cast<float>(t * (-1 + t * (2 - t)) / 2),
                static_cast<float>((2 + t * t * (-5 + 3 * t)) / 2),
                static_cast<float>(t * (1 + t * (4 - 3 * t)) / 2),
                static_cast<float>(t * t * (t - 1) / 2)};
    return b;
}

float value(Between const& b, float const* from, index step) {
    float const before = from[b.at[0] * step], low = from[b.at[1] * step],
                high = from[b.at[2] * step], after = from[b.at[3] * step];
    if (b.weight[2] == 0) return low;
    if (b.weight[1] == 0) return high;
    float const cubic =
        b.weight[0] * before + b.weight[1] * low + b.weight[2] * high + b.weight[3] * after;
    if (std::isfinite(cubic)) return std::clamp(cubic, std::min(low, high), std::max(low, high));
    // Its neighbours are not finite, or those beside them: then it is linear.
    float const t = b.weight[2] + b.weight[3];
    return low + t * (high - low);
}

/// [a][b][c], where b becomes finer: an axis of an image and what is before and behind it.
struct Pass {
    index before = 1, side = 1, behind = 1;
};

std::vector<float> finer_along(std::vector<float> const& from, Pass const& pass, index first,
                               index count, int pieces) {
    std::vector<Between> places;
    for (index i = 0; i < count * pieces; ++i)
        places.push_back(between(
            static_cast<double>(first) - 0.5 + (static_cast<double>(i) + 0.5) / pieces, pass.side));
    std::vector<float> out(static_cast<std::size_t>(pass.before * count * pieces * pass.behind));
    float* to = out.data();
    for (index a = 0; a < pass.before; ++a) {
        float const* const image = from.data() + a * pass.side * pass.behind;
        for (Between const& b : places)
            for (index c = 0; c < pass.behind; ++c) *to++ = value(b, image + c, pass.behind);
    }
    return out;
}

}  // namespace

std::vector<float> finer_doses(Volume const& dose, dicom::Box const& box, int pieces) {
    // What the places of the box need: two elements more to each side.
    auto const& shape = dose.image.shape;
    std::array<index, 3> from{}, sides{};
    for (std::size_t a = 0; a < 3; ++a) {
        from[a] = std::max<index>(box.first[a] - 2, 0);
        sides[a] = std::min(box.last[a] + 2, shape[2 - a]) - from[a];
    }
    std::vector<float> part;
    part.reserve(static_cast<std::size_t>(sides[0] * sides[1] * sides[2]));
    for (index z = 0; z < sides[2]; ++z)
        for (index y = 0; y < sides[1]; ++y) {
            auto const row = dose.image.values.begin() +
                             ((from[2] + z) * shape[1] + from[1] + y) * shape[2] + from[0];
            part.insert(part.end(), row, row + sides[0]);
        }
    index before = sides[2] * sides[1], behind = 1;
    for (std::size_t a = 0; a < 3; ++a) {
        index const count = box.last[a] - box.first[a];
        part = finer_along(part, {before, sides[a], behind}, box.first[a] - from[a], count, pieces);
        behind *= count * pieces;
        if (a < 2) before /= sides[a + 1];
    }
    return part;
}

}  // namespace sluice::proton
