// Slowing down as functors, and what it leaves: what GPUs do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/marching/gather_drift.h"

namespace sluice::proton::marching {

/// Rows that one element has.
inline constexpr index chunk = 16;

/// What a flight leaves: [chunk of rows][angle][x]. Their sums over chunks come to lie in the
/// first.
template <class Real>
struct Parts {
    double *deposit, *stopped, *nuclear_energy, *nuclear_weight;
    Real* protons;
};

/// What slowing down reads, and where it writes; from the block's corner on.
template <class Real>
struct Slowing {
    Block block;
    Rows<Real> water;
    Columns<Real> materials;
    Route<Real> const* routes;
    Parts<Real> parts;

    /// An element is a chunk of rows, an angle and an x.
    struct Element {
        index first, past, angle, x, begin;
    };
    SLUICE_HD Element element(index n) const {
        index const x = n % block.width, j = n / block.width % block.angles;
        index const first = n / (block.width * block.angles) * chunk;
        index const past = first + chunk < block.rows ? first + chunk : block.rows;
        return {first, past, j, x, block.at(0, j, x)};
    }
};

/// Nuclear loss, if it is the first pass, and a pass of straggling.
template <class Real>
struct Settle {
    Slowing<Real> s;
    Real const* from;
    Real* to;
    bool first, straggles;

    SLUICE_HD void operator()(index n) const {
        auto const e = s.element(n);
        Real const path = s.routes[e.angle].path;
        Real const loses = first ? s.materials.nuclear[e.x] * path : Real(0);
        Real const spreads = straggles ? s.materials.straggling[e.x] * path : Real(0);
        auto const f = [&](index i) { return from[e.begin + i * s.block.row_step()]; };
        auto const lost = [&](index i) { return s.water.loss[i] * loses * f(i); };
        auto const left = [&](index i) { return f(i) - lost(i); };
        Real below = e.first > 0 ? spreads * s.water.up[e.first - 1] * left(e.first - 1) : Real(0);
        Real own = left(e.first);
        double weight = 0, energy = 0;
        for (index i = e.first; i < e.past; ++i) {
            weight += static_cast<double>(lost(i));
            energy += static_cast<double>(lost(i) * s.water.energy[i]);
            Real const up = spreads * s.water.up[i] * own;
            Real& cell = to[e.begin + i * s.block.row_step()];
            if (i + 1 < s.block.rows) {
                Real const next = left(i + 1);
                cell = own - (up + spreads * (s.water.down[i] + s.water.far[i]) * own) + below +
                       spreads * s.water.down[i + 1] * next;
                index const from_far = i + s.water.fall;
                if (s.water.fall > 0 && from_far < s.block.rows)
                    cell += spreads * s.water.far[from_far] * left(from_far);
                own = next;
            } else {
                cell = own - spreads * (s.water.up[i] + s.water.down[i] + s.water.far[i]) * own +
                       below;
            }
            below = up;
        }
        if (!first) return;
        s.parts.nuclear_weight[n] = weight;
        s.parts.nuclear_energy[n] = energy;
        s.parts.deposit[n] = s.parts.stopped[n] = 0;
    }
};

/// A pass of slowing down.
template <class Real>
struct SlowDown {
    Slowing<Real> s;
    Real const* from;
    Real* to;
    int pass;

    SLUICE_HD void operator()(index n) const {
        auto const e = s.element(n);
        Route<Real> const& route = s.routes[e.angle];
        bool const done = pass >= route.slowing;
        index const whole = pass == 0 ? route.whole : 0, rows = s.block.rows;
        auto const f = [&](index i) { return from[e.begin + i * s.block.row_step()]; };
        auto const fallen = [&](index i) {
            return i < 0 || i + whole >= rows ? Real(0) : f(i + whole);
        };
        Real const shift = s.materials.shift[e.x], bend = s.materials.bend[e.x];
        auto const told = static_cast<Real>(static_cast<double>(route.whole) + route.carried);
        Real const share = Real(1) / static_cast<Real>(route.slowing);
        auto const wanted = [&](index i) {
            if (done || i < 0 || i >= rows) return Real(0);
            Real const a = ((shift + bend * s.water.bend[i]) * route.path - told) * share;
            Real const own = fallen(i), ahead = fallen(i - 1), behind = fallen(i + 1);
            Real const rest = (1 - a) * Real(1.0 / 6);
            return a * (own + rest * ((2 - a) * (ahead - own) + (1 + a) * (own - behind)));
        };
        auto const between = [&](Real flux, index i) {
            return least(most(flux, Real(0)), fallen(i));
        };
        auto const over = [&](index i) {
            Real const flux = wanted(i);
            return flux - between(flux, i);
        };
        // With what the row behind cannot give, and what the row ahead should get back.
        auto const leaving = [&](index i) {
            return between(
                between(wanted(i), i) + most(over(i + 1), Real(0)) + least(over(i - 1), Real(0)),
                i);
        };
        auto const after = [&](index i) { return i < 0 ? Real(0) : s.water.after[i]; };
        bool const change = pass == 0 && (whole > 0 || route.carried != 0);
        double deposit = 0, stopped = 0;
        Real sum = 0, out = leaving(e.first);
        for (index i = e.first; i < e.past; ++i) {
            if (change) {
                Real const loses =
                    i < whole ? s.water.energy[i]
                              : s.water.drop[i] + (after(i - route.dropped) - after(i - whole));
                deposit += static_cast<double>(f(i) * loses);
                if (i < whole) stopped += static_cast<double>(f(i));
            }
            deposit += static_cast<double>(out * (after(i) - after(i - 1)));
            if (i == 0) stopped += static_cast<double>(out);
            Real const in = leaving(i + 1), cell = fallen(i) - out + in;
            to[e.begin + i * s.block.row_step()] = cell;
            sum += cell;
            out = in;
        }
        s.parts.deposit[n] += deposit;
        s.parts.stopped[n] += stopped;
        s.parts.protons[n] = sum;
    }
};

/// Adds up what the chunks left: elements are [angle][x].
template <class Real>
struct AddChunks {
    Block block;
    Parts<Real> parts;
    Real* sums;  ///< of the grid, [angle][x]

    SLUICE_HD void operator()(index n) const {
        index const all = block.angles * block.width, chunks = (block.rows + chunk - 1) / chunk;
        Real protons = parts.protons[n];
        for (index c = 1; c < chunks; ++c) {
            index const more = c * all + n;
            parts.deposit[n] += parts.deposit[more];
            parts.stopped[n] += parts.stopped[more];
            parts.nuclear_energy[n] += parts.nuclear_energy[more];
            parts.nuclear_weight[n] += parts.nuclear_weight[more];
            protons += parts.protons[more];
        }
        index const j = n / block.width, x = n % block.width;
        sums[(block.first_angle + j) * block.stride + block.first_x + x] = protons;
    }
};

/// Of one x, what all directions left.
struct Heap {
    double deposit;  ///< moved back to where it was left
    double nuclear_energy, nuclear_weight, stopped_weight;
};

/// The same: elements are x.
template <class Real>
struct Collect {
    Block block;
    index columns;
    Route<Real> const* routes;
    Real const* taken;  ///< [x of the block]: rows of range that a step takes
    Parts<Real> parts;
    Heap* heaps;

    SLUICE_HD void operator()(index x) const {
        Heap h{};
        for (index j = 0; j < block.angles; ++j) {
            index const line = j * block.width, at = line + x;
            h.deposit += DrawBack<Real>{routes[j].back, taken}.at(parts.deposit + line, columns, x);
            h.nuclear_energy += parts.nuclear_energy[at];
            h.nuclear_weight += parts.nuclear_weight[at];
            h.stopped_weight += parts.stopped[at];
        }
        heaps[x] = h;
    }
};

/// What is moved back out of the phantom: elements are angles.
template <class Real>
struct MoveBackOut {
    Block block;
    index columns;
    Route<Real> const* routes;
    Real const* taken;
    Parts<Real> parts;
    Side* sides;

    SLUICE_HD void operator()(index j) const {
        sides[j].right_back = routes[j].back.right;
        sides[j].energy_back =
            DrawBack<Real>{routes[j].back, taken}.out(parts.deposit + j * block.width, columns);
    }
};

}  // namespace sluice::proton::marching
