// The drift of a march as functors: what GPUs do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/marching/gather.h"

namespace sluice::proton::marching {

/// How a line moves along x: to `whole` places further, and a part of it one more (kernels.h).
template <class Real>
struct Move {
    index whole;
    bool right, still;
    Real part[5];  ///< of a cell and its neighbours, from the left to the right

    SLUICE_HD Real leaving(Real const* f, index width, index i) const {
        if (i < 0 || i >= width) return 0;
        auto const at = [&](index k) { return k < 0 || k >= width ? Real(0) : f[k]; };
        Real const sum = part[0] * at(i - 2) + part[1] * at(i - 1) + part[2] * f[i] +
                         part[3] * at(i + 1) + part[4] * at(i + 2);
        Real const some = sum > 0 ? sum : Real(0);
        return some < f[i] ? some : f[i];
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

/// Of one direction: how it flies over a plane.
template <class Real>
struct Route {
    Move<Real> move;
    Move<double> back;  ///< to where it left what it left
    Real path;          ///< straight steps
    index whole;        ///< rows that all go down
    int slowing;        ///< passes of the rest
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
