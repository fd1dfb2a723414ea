// The operators of a march as functors, an element after the other: what GPUs do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "domain/proton/marching/kernels.h"

namespace sluice::proton::marching {

/// A box of f[row][angle][x]. Rows, angles and x below count from its corner.
struct Block {
    index first_row, rows, first_angle, angles, first_x, width;
    index all_angles, stride;  ///< of the grid

    SLUICE_HD index cells() const { return rows * angles * width; }
    SLUICE_HD index row_step() const { return all_angles * stride; }
    SLUICE_HD index at(index row, index angle, index x) const {
        return ((first_row + row) * all_angles + first_angle + angle) * stride + first_x + x;
    }
};

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

/// Sums over angles: elements are [row][x].
template <class Real>
struct AddAngles {
    Block block;
    Real const* f;
    Real* sums;  ///< of the grid, [row][x]

    SLUICE_HD void operator()(index n) const {
        index const i = n / block.width, x = n % block.width;
        Real sum = 0;
        for (index j = 0; j < block.angles; ++j) sum += f[block.at(i, j, x)];
        sums[(block.first_row + i) * block.stride + block.first_x + x] = sum;
    }
};

/// Sums over rows: elements are [angle][x].
template <class Real>
struct AddRows {
    Block block;
    Real const* f;
    Real* sums;  ///< of the grid, [angle][x]

    SLUICE_HD void operator()(index n) const {
        index const j = n / block.width, x = n % block.width;
        Real sum = 0;
        for (index i = 0; i < block.rows; ++i) sum += f[block.at(i, j, x)];
        sums[(block.first_angle + j) * block.stride + block.first_x + x] = sum;
    }
};

/// Makes a box 0: elements are cells.
template <class Real>
struct Clear {
    Block block;
    Real* f;

    SLUICE_HD void operator()(index n) const {
        index const line = n / block.width;
        f[block.at(line / block.angles, line % block.angles, n % block.width)] = 0;
    }
};

/// Adds what is in a box: elements are rows.
template <class Real>
struct GiveUp {
    Block block;
    Real const* f;
    double* given_up;  ///< of the grid, [row]

    SLUICE_HD void operator()(index i) const {
        double sum = 0;
        for (index j = 0; j < block.angles; ++j)
            for (index x = 0; x < block.width; ++x)
                sum += static_cast<double>(f[block.at(i, j, x)]);
        given_up[block.first_row + i] += sum;
    }
};

/// Angular diffusion in place: elements are [row][x].
template <class Real>
struct Scatter {
    Block block;
    Real* f;
    std::int32_t const* passes;  ///< of the grid, [row]
    double const* part;          ///< [row]
    double const* relative;      ///< [x]
    Real* sums;                  ///< [row][x]
    Real* low;                   ///< what leaves the window of angles, by element
    Real* high;

    SLUICE_HD void operator()(index n) const {
        index const i = n / block.width, x = n % block.width, last = block.angles - 1;
        index const row = block.first_row + i;
        Real const p = static_cast<Real>(part[row] * relative[block.first_x + x]);
        Real* const line = f + block.at(i, 0, x);
        Real below_all = 0, above_all = 0;
        for (int pass = 0; pass < passes[row]; ++pass) {
            Real below = 0, own = line[0];
            below_all += p * own;
            for (index j = 0; j < last; ++j) {
                Real const above = line[(j + 1) * block.stride];
                line[j * block.stride] = own - 2 * (p * own) + p * below + p * above;
                below = own;
                own = above;
            }
            above_all += p * own;
            line[last * block.stride] = own - 2 * (p * own) + p * below;
        }
        low[n] = below_all;
        high[n] = above_all;
        Real sum = 0;
        for (index j = 0; j <= last; ++j) sum += line[j * block.stride];
        sums[row * block.stride + block.first_x + x] = sum;
    }
};

/// What left the window of angles: elements are rows.
template <class Real>
struct AddLeaks {
    Block block;
    Real const* low;
    Real const* high;
    Leak* leaks;

    SLUICE_HD void operator()(index i) const {
        Leak sum;
        for (index x = 0; x < block.width; ++x) {
            sum.low += static_cast<double>(low[i * block.width + x]);
            sum.high += static_cast<double>(high[i * block.width + x]);
        }
        leaks[i] = sum;
    }
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

/// Rows that one element has.
inline constexpr index chunk = 16;

/// What a flight leaves: [chunk of rows][angle][x]. Their sums over chunks come to lie in the
/// first.
template <class Real>
struct Parts {
    double *deposit, *stopped, *collided, *nuclear_energy, *nuclear_weight;
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
                cell = own - (up + spreads * s.water.down[i] * own) + below +
                       spreads * s.water.down[i + 1] * next;
                own = next;
            } else {
                cell = own - spreads * (s.water.up[i] + s.water.down[i]) * own + below;
            }
            below = up;
        }
        if (!first) return;
        s.parts.nuclear_weight[n] = weight;
        s.parts.nuclear_energy[n] = energy;
        s.parts.deposit[n] = s.parts.stopped[n] = s.parts.collided[n] = 0;
    }
};

/// Which elastic collisions reach a row: entries first[row] to before first[row + 1], as 2 * row +
/// which of its falls.
struct Landings {
    std::int32_t const* first;
    std::int32_t const* from;
};

/// Elastic collisions.
template <class Real>
struct Collide {
    Slowing<Real> s;
    Landings landings;  ///< of the grid
    Real const* from;
    Real* to;

    /// What of f(i) falls, by each of its falls.
    SLUICE_HD Real falling(index i, Real f, Real ratio, int which) const {
        Real moved = 0;
        for (int k = 0; k <= which; ++k) {
            f -= moved;
            moved = s.water.falls[i].rows[k] == 0 ? Real(0) : s.water.falls[i].part[k] * ratio * f;
        }
        return moved;
    }

    SLUICE_HD void operator()(index n) const {
        auto const e = s.element(n);
        Real const ratio = s.materials.nuclear[e.x] * s.routes[e.angle].path;
        auto const f = [&](index i) { return from[e.begin + i * s.block.row_step()]; };
        double deposit = 0, stopped = 0;
        for (index i = e.first; i < e.past; ++i) {
            Real cell = f(i);
            for (int k = 0; k < 2; ++k) {
                Real const moved = falling(i, f(i), ratio, k);
                index const lower = i - s.water.falls[i].rows[k];
                cell -= moved;
                deposit += static_cast<double>(
                    moved * (s.water.energy[i] - (lower < 0 ? Real(0) : s.water.energy[lower])));
                if (lower < 0) stopped += static_cast<double>(moved);
            }
            index const row = s.block.first_row + i;
            for (index k = landings.first[row]; k < landings.first[row + 1]; ++k) {
                index const source = landings.from[k] / 2 - s.block.first_row;
                if (source < s.block.rows)
                    cell += falling(source, f(source), ratio, landings.from[k] % 2);
            }
            to[e.begin + i * s.block.row_step()] = cell;
        }
        s.parts.collided[n] += deposit;
        s.parts.stopped[n] += stopped;
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
        auto const told = static_cast<Real>(route.whole);
        Real const share = Real(1) / static_cast<Real>(route.slowing);
        auto const leaving = [&](index i) {
            if (done || i >= rows) return Real(0);
            Real const a = ((shift + bend * s.water.bend[i]) * route.path - told) * share;
            Real const own = fallen(i), ahead = fallen(i - 1), behind = fallen(i + 1);
            Real const rest = (1 - a) * Real(1.0 / 6);
            Real const flux =
                a * (own + rest * ((2 - a) * (ahead - own) + (1 + a) * (own - behind)));
            Real const some = flux > 0 ? flux : Real(0);
            return some < own ? some : own;
        };
        auto const energy = [&](index i) { return i < 0 ? Real(0) : s.water.energy[i]; };
        double deposit = 0, stopped = 0;
        Real sum = 0, out = leaving(e.first);
        for (index i = e.first; i < e.past; ++i) {
            if (whole > 0) {
                deposit += static_cast<double>(f(i) * (energy(i) - energy(i - whole)));
                if (i < whole) stopped += static_cast<double>(f(i));
            }
            deposit += static_cast<double>(out * (energy(i) - energy(i - 1)));
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
            parts.collided[n] += parts.collided[more];
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
    double collided, nuclear_energy;
    double nuclear_weight, stopped_weight;
};

/// The same: elements are x.
template <class Real>
struct Collect {
    Block block;
    index columns;
    Route<Real> const* routes;
    Parts<Real> parts;
    Heap* heaps;

    SLUICE_HD void operator()(index x) const {
        Heap h{};
        for (index j = 0; j < block.angles; ++j) {
            index const line = j * block.width, at = line + x;
            h.deposit += routes[j].back.at(parts.deposit + line, columns, x);
            h.collided += parts.collided[at];
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
    Parts<Real> parts;
    Side* sides;

    SLUICE_HD void operator()(index j) const {
        sides[j].right_back = routes[j].back.right;
        sides[j].energy_back = routes[j].back.out(parts.deposit + j * block.width, columns);
    }
};

}  // namespace sluice::proton::marching
