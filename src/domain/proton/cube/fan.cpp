// The grid of a beam: rays out of its virtual sources, and planes across it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/fan.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton::cube {
namespace {

constexpr Rays::Here air_outside{0.00107F, 0.65F * 0.00107F};

// To the place in the patient of an element (x first).
Place3 place_of(Patient const& p, Place3 const& element) {
    Place3 at{p.origin[0], p.origin[1], p.origin[2]};
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t c = 0; c < 3; ++c) at[c] += element[a] * p.spacing[a] * p.direction[a][c];
    return at;
}

}  // namespace

double Fan::stretch(double at_u, double at_v) const {
    double const x = at_u / frame.source[0], y = at_v / frame.source[1];
    return std::sqrt(1 + x * x + y * y);
}

std::array<std::array<double, 2>, 3> box_of(Frame const& frame, Patient const& p) {
    std::array<std::array<double, 2>, 3> box{{{1e30, -1e30}, {1e30, -1e30}, {1e30, -1e30}}};
    for (int corner = 0; corner < 8; ++corner) {
        Place3 element{};
        for (std::size_t a = 0; a < 3; ++a)
            element[a] = (corner >> a & 1) != 0 ? static_cast<double>(p.shape[2 - a]) - 0.5 : -0.5;
        Place3 const g = frame.to_gantry(place_of(p, element));
        for (std::size_t a = 0; a < 3; ++a)
            box[a] = {std::min(box[a][0], g[a]), std::max(box[a][1], g[a])};
    }
    return box;
}

Rays::Rays(Patient const& p, Frame const& frame) : patient_(p), air_(air_outside) {
    Turn const back = transposed(frame.turn);
    Place3 const from{frame.isocentre[0] - p.origin[0], frame.isocentre[1] - p.origin[1],
                      frame.isocentre[2] - p.origin[2]};
    for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t c = 0; c < 3; ++c) {
            double const d = p.direction[a][c] / p.spacing[a];
            shift_[a] += d * from[c];
            for (std::size_t g = 0; g < 3; ++g) turn_[a][g] += d * back[c][g];
        }
    }
}

Place3 Rays::element(Place3 const& g) const {
    Place3 e = turned(turn_, g);
    for (std::size_t a = 0; a < 3; ++a) e[a] += shift_[a];
    return e;
}

Rays::Here Rays::at(Place3 const& g) const {
    Place3 const e = element(g);
    index low[3];
    float part[3];
    for (std::size_t a = 0; a < 3; ++a) {
        auto const last = static_cast<double>(patient_.shape[2 - a] - 1);
        if (!(e[a] >= -0.5 && e[a] <= last + 0.5)) return air_;
        double const inside = std::clamp(e[a], 0.0, last);
        double const whole = std::min(std::floor(inside), last - 1);
        low[a] = static_cast<index>(whole);
        part[a] = static_cast<float>(inside - whole);
    }
    index const row = patient_.shape[2], plane = row * patient_.shape[1];
    std::uint16_t const* const t = patient_.tissue.data() + low[0] + low[1] * row + low[2] * plane;
    std::uint16_t const first = t[0];
    // Most places lie in one tissue.
    if (t[1] == first && t[row] == first && t[row + 1] == first && t[plane] == first &&
        t[plane + 1] == first && t[plane + row] == first && t[plane + row + 1] == first)
        return {patient_.stopping[first], patient_.scattering[first]};
    Here sum;
    for (int corner = 0; corner < 8; ++corner) {
        bool const x = (corner & 1) != 0, y = (corner & 2) != 0, z = (corner & 4) != 0;
        float const w =
            (x ? part[0] : 1 - part[0]) * (y ? part[1] : 1 - part[1]) * (z ? part[2] : 1 - part[2]);
        std::uint16_t const n = t[(x ? 1 : 0) + (y ? row : 0) + (z ? plane : 0)];
        sum.stopping += w * patient_.stopping[n];
        sum.scattering += w * patient_.scattering[n];
    }
    return sum;
}

int Rays::tissue_at(Place3 const& g) const {
    Place3 const e = element(g);
    index at[3];
    for (std::size_t a = 0; a < 3; ++a) {
        at[a] = std::lround(e[a]);
        if (at[a] < 0 || at[a] >= patient_.shape[2 - a]) return -1;
    }
    index const row = patient_.shape[2], plane = row * patient_.shape[1];
    return patient_.tissue[static_cast<std::size_t>(at[0] + at[1] * row + at[2] * plane)];
}

}  // namespace sluice::proton::cube
