// theoretical_basis: the lattice that spacings of planes make on the detector.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <numbers>

#include "domain/crystal/lattice/matrix2.h"
#include "sluice/strain.h"

namespace sluice::stem4d {

Result<LatticeBasis> theoretical_basis(LatticeSpacings const& s, LatticeBasis const& like) {
    for (double x : {s.a, s.b, s.pixel_size})
        if (!(x > 0) || !std::isfinite(x))
            return Error{
                Code::invalid_argument,
                fmt::format("spacings of {:g} and {:g} \u00c5 with pixels of {:g} 1/\u00c5 "
                            "make no lattice (each is above 0); give all three",
                            s.a, s.b, s.pixel_size)};
    double const angle = s.angle_degrees * std::numbers::pi / 180;
    if (!(std::sin(angle) > 0.05))
        return Error{
            Code::invalid_argument,
            fmt::format("an angle of {:g} degrees between the vectors makes no lattice (they "
                        "lie on a line); give one between 3 and 177",
                        s.angle_degrees)};
    double const hand = crystal::cross(like.a, like.b) < 0 ? -1 : 1,
                 length_a = 1 / (s.a * s.pixel_size), length_b = 1 / (s.b * s.pixel_size);
    Point const a{length_a, 0}, b{length_b * std::cos(angle), hand * length_b * std::sin(angle)};
    // The turn with the largest sum of projections on the other lattice: least squares.
    double const turned = std::atan2(crystal::cross(a, like.a) + crystal::cross(b, like.b),
                                     crystal::dot(a, like.a) + crystal::dot(b, like.b));
    crystal::Matrix2 const turn = crystal::turn_by(turned);
    return LatticeBasis{like.origin, turn * a, turn * b};
}

}  // namespace sluice::stem4d
