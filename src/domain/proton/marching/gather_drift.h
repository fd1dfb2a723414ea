// The drift of a march as functors: what GPUs do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "domain/proton/marching/gather.h"
#include "domain/proton/marching/hold.h"
#include "domain/proton/marching/kernels.h"

namespace sluice::proton::marching {

/// How a line moves along x: to `whole` places further, and a part of it one more (kernels.h).
template <class Real>
struct Move {
    index whole;
    bool right, still;
    Real part[5];  ///< of a cell and its neighbours, from the left to the right
    Hold<Real> hold;

    SLUICE_HD Real leaving(Real const* f, index width, index i) const {
        if (i < 0 || i >= width) return 0;
        auto const at = [&](index k) { return k < 0 || k >= width ? Real(0) : f[k]; };
        Real const a = at(i - 2), b = at(i - 1), c = f[i], d = at(i + 1), e = at(i + 2);
        Real const sum = part[0] * a + part[1] * b + part[2] * c + part[3] * d + part[4] * e;
        return right ? held(sum, Around<Real>{a, b, c, d, e}, hold)
                     : held(sum, Around<Real>{e, d, c, b, a}, hold);
    }
    /// What is at x afterwards.
    SLUICE_HD Real at(Real const* f, index width, index x) const {
        if (x >= width) return 0;
        if (still) return f[x];
        index const i = right ? x - whole : x + whole;
        if (i < 0 || i >= width) return 0;
        return f[i] - leaving(f, width, i) + leaving(f, width, right ? i - 1 : i + 1);
    }
    /// What has left the line, at the right or at the left.
    SLUICE_HD double out(Real const* f, index width) const {
        if (still) return 0;
        index const gone = whole < width ? whole : width;
        double sum = 0;
        for (index i = 0; i < gone; ++i) sum += static_cast<double>(f[right ? width - 1 - i : i]);
        return sum + static_cast<double>(leaving(f, width, right ? width - 1 - gone : gone));
    }
};

template <class Real>
Move<Real> move_of(double shift, index width) {
    double const far = std::abs(shift);
    Move<Real> m{static_cast<index>(std::min(far, static_cast<double>(width))),
                 shift > 0,
                 shift == 0,
                 {},
                 Hold<Real>::of(far - std::floor(far))};
    auto const part = leaving_parts(far - std::floor(far));
    for (std::size_t k = 0; k < part.size(); ++k)
        m.part[m.right ? k : part.size() - 1 - k] = static_cast<Real>(part[k]);
    return m;
}

/// Draws what a step left back along its way. The step used the material where it ended, and a cell
/// of a thinner one takes so much less of what its neighbour got: air beside water would get as
/// much of it as water, in a thousandth of the mass. The rest stays where it was left.
template <class Real>
struct DrawBack {
    Move<double> move;
    Real const* taken;  ///< [x]: rows of range that a step takes

    SLUICE_HD double share(index width, index from, index to) const {
        if (to < 0 || to >= width || taken[to] >= taken[from]) return 1;
        return static_cast<double>(taken[to]) / static_cast<double>(taken[from]);
    }
    // Along the protons that left it, who have no steps where materials meet.
    SLUICE_HD double leaving(double const* f, index width, index i) const {
        if (i < 0 || i >= width || taken[i] <= 0) return 0;
        auto const protons = [&](index at) {
            return at < 0 || at >= width || taken[at] <= 0 ? 0.0
                                                           : f[at] / static_cast<double>(taken[at]);
        };
        double const a = protons(i - 2), b = protons(i - 1), c = protons(i), d = protons(i + 1),
                     e = protons(i + 2);
        double const sum = move.part[0] * a + move.part[1] * b + move.part[2] * c +
                           move.part[3] * d + move.part[4] * e;
        double const some = static_cast<double>(taken[i]) *
                            (move.right ? held(sum, Around<double>{a, b, c, d, e}, move.hold)
                                        : held(sum, Around<double>{e, d, c, b, a}, move.hold));
        return some < f[i] ? some : f[i];
    }
    /// What is at x afterwards.
    SLUICE_HD double at(double const* f, index width, index x) const {
        if (x >= width) return 0;
        if (move.still) return f[x];
        index const step = move.right ? 1 : -1, far = step * move.whole;
        double const gone = leaving(f, width, x);
        double sum = (f[x] - gone) * (1 - share(width, x, x + far)) +
                     gone * (1 - share(width, x, x + far + step));
        index const whole = x - far, part = whole - step;
        if (whole >= 0 && whole < width)
            sum += (f[whole] - leaving(f, width, whole)) * share(width, whole, x);
        if (part >= 0 && part < width) sum += leaving(f, width, part) * share(width, part, x);
        return sum;
    }
    /// What leaves the phantom, at the right or at the left.
    SLUICE_HD double out(double const* f, index width) const {
        if (move.still) return 0;
        index const gone = move.whole < width ? move.whole : width;
        double sum = 0;
        for (index i = 0; i < gone; ++i) sum += f[move.right ? width - 1 - i : i];
        return sum + leaving(f, width, move.right ? width - 1 - gone : gone);
    }
};

/// Of one direction: how it flies over a plane.
template <class Real>
struct Route {
    Move<Real> move;
    Move<double> back;  ///< to where it left what it left
    Real path;          ///< straight steps
    index whole;        ///< rows that all go down
    int slowing;        ///< passes of the rest
    double carried;     ///< rows that the rows themselves come nearer
    index dropped;      ///< the fewest whole rows of any direction
};

/// Along x: elements are cells.
template <class Real>
struct Drift {
    Block block;
    index columns;
    Route<Real> const* routes;
    Real const* from;
    Real* to;

    SLUICE_HD void operator()(index n) const {
        index const x = n % block.width, line = n / block.width, j = line % block.angles;
        index const begin = block.at(line / block.angles, j, 0);
        to[begin + x] = routes[j].move.at(from + begin, columns, x);
    }
};

/// What drifts out: elements are [row][angle].
template <class Real>
struct DriftOut {
    Block block;
    index columns;
    Route<Real> const* routes;
    Real const* from;
    double* out;

    SLUICE_HD void operator()(index n) const {
        index const j = n % block.angles;
        out[n] = routes[j].move.out(from + block.at(n / block.angles, j, 0), columns);
    }
};

/// What left through a side with one direction.
struct Side {
    bool right;
    double weight, energy;
    double energy_back;  ///< of what it left half way
    bool right_back;
};

/// The same by direction: elements are angles.
template <class Real>
struct AddSides {
    Block block;
    Route<Real> const* routes;
    double const* out;
    double const* energy;  ///< of the grid, [row]
    Side* sides;

    SLUICE_HD void operator()(index j) const {
        Side side{routes[j].move.right, 0, 0, 0, false};
        for (index i = 0; i < block.rows; ++i) {
            double const w = out[i * block.angles + j];
            side.weight += w;
            side.energy += w * energy[block.first_row + i];
        }
        sides[j] = side;
    }
};

}  // namespace sluice::proton::marching
