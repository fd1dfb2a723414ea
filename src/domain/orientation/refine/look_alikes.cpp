// Tries all matrices of whole numbers that a reduced enough cell can need.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/refine/look_alikes.h"

#include <cmath>

#include "domain/orientation/match/candidates.h"
#include "domain/orientation/vectors.h"
#include "sluice/structure_factors.h"

namespace sluice::orient {
namespace {

// Parts of lengths by which a lattice may miss its symmetry.
constexpr double off_symmetry = 0.03;
constexpr double alike_degrees = 5;

using Three = std::array<Vector3, 3>;

Three images(Three const& axes, int code) {
    Three out{};
    for (auto& image : out)
        for (auto const& axis : axes) image = sum(image, scaled(axis, code % 3 - 1)), code /= 3;
    return out;
}

bool fits(Three const& axes, Three const& to) {
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k <= i; ++k)
            if (std::abs(dot(to[i], to[k]) - dot(axes[i], axes[k])) >
                2 * off_symmetry * length(axes[i]) * length(axes[k]))
                return false;
    return dot(to[0], cross(to[1], to[2])) > 0;
}

// Takes a to its image, and the plane of a and b to theirs.
stem4d::Orientation turn(Three const& axes, Three const& to) {
    auto const frame = [](Three const& t) -> Three {
        Vector3 const x = unit(t[0]), z = unit(cross(t[0], t[1]));
        return {x, cross(z, x), z};
    };
    Three const from = frame(axes), onto = frame(to);
    std::array<Vector3, 3> m{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t n = 0; n < 3; ++n) m[i][k] += onto[n][i] * from[n][k];
    return stem4d::from_matrix(m);
}

}  // namespace

std::vector<stem4d::Orientation> look_alikes(stem4d::UnitCell const& cell,
                                             stem4d::CrystalSymmetry const& symmetry) {
    constexpr int matrices = 19683;  // of nine numbers from -1 to 1
    Three const axes = stem4d::axes_of(cell);
    double const near = std::cos(alike_degrees * degree / 2);
    std::vector<stem4d::Orientation> found{stem4d::Orientation{}};
    for (int code = 0; code < matrices; ++code) {
        Three const to = images(axes, code);
        if (!fits(axes, to)) continue;
        auto const one = turn(axes, to);
        bool known = false;
        for (auto const& other : found) known = known || nearness(one, other, symmetry) > near;
        if (!known) found.push_back(one);
    }
    found.erase(found.begin());
    return found;
}

}  // namespace sluice::orient
