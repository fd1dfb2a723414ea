// The operators of a dense step as functors, an element after the other: obviously correct, and
// what GPUs do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sluice/view.h"

namespace sluice::proton::dense {

/// psi[energy][angle][z][x], and what a step needs to know of it.
template <class Real>
struct Grid {
    index energies, angles, planes, columns;
    bool ring;
    char const* allowed;            ///< [angle]
    Real const* diffusion;          ///< [energy]: part to each side in one pass, in water
    std::int32_t const* passes;     ///< [energy]
    Real const* scattering;         ///< [z][x], relative to water
    double const* cosine;           ///< [angle]: places of z that a path of 1 mm goes
    double const* sine;             ///< [angle]: of x
    double const* path;             ///< [energy]: mm
    std::uint16_t const* material;  ///< [z][x]

    SLUICE_HD index plane() const { return planes * columns; }
    SLUICE_HD Real const* sheet(Real const* psi, index i, index j) const {
        return psi + (i * angles + j) * plane();
    }
    /// After one pass of scattering, at a place of the plane.
    SLUICE_HD Real scattered(Real const* psi, index i, index j, index at) const {
        Real const own = sheet(psi, i, j)[at];
        Real const part = diffusion[i] * scattering[at];
        return own - 2 * (part * own) + part * beside(psi, i, j - 1, at) +
               part * beside(psi, i, j + 1, at);
    }
    SLUICE_HD Real beside(Real const* psi, index i, index j, index at) const {
        if (ring) j = (j + angles) % angles;
        return j < 0 || j >= angles ? Real(0) : sheet(psi, i, j)[at];
    }
};

/// A shift in places: to `whole`, and a part of it one further.
struct Places {
    index whole;
    double part;
};
SLUICE_HD Places places(double shift) {
    auto whole = static_cast<index>(shift);
    if (static_cast<double>(whole) > shift) --whole;
    return {whole, shift - static_cast<double>(whole)};
}

/// All but the last pass of the energies that need several: elements are cells of the first rows.
template <class Real>
struct ScatterOnce {
    Grid<Real> grid;
    Real const* from;
    Real* to;
    int pass;

    SLUICE_HD void operator()(index n) const {
        index const sheet = n / grid.plane(), i = sheet / grid.angles;
        to[n] = pass < grid.passes[i] - 1
                    ? grid.scattered(from, i, sheet % grid.angles, n % grid.plane())
                    : from[n];
    }
};

/// Back to where it was: elements are cells of the first rows.
template <class Real>
struct Copy {
    Real const* from;
    Real* to;
    SLUICE_HD void operator()(index n) const { to[n] = from[n]; }
};

/// The last pass of scattering, and streaming: elements are cells of what has landed.
template <class Real>
struct Fly {
    Grid<Real> grid;
    Real const* psi;
    Real* landed;
    double forward;

    SLUICE_HD void operator()(index n) const {
        index const sheet = n / grid.plane(), i = sheet / grid.angles, j = sheet % grid.angles;
        index const z = n % grid.plane() / grid.columns, x = n % grid.columns;
        if (!grid.allowed[j]) {
            landed[n] = 0;
            return;
        }
        Places const sz = places(grid.path[i] * forward * grid.cosine[j]);
        Places const sx = places(grid.path[i] * forward * grid.sine[j]);
        Real sum = 0;
        for (int dz = 0; dz < 2; ++dz)
            for (int dx = 0; dx < 2; ++dx) {
                index const fz = z - sz.whole - dz, fx = x - sx.whole - dx;
                if (fz < 0 || fz >= grid.planes || fx < 0 || fx >= grid.columns) continue;
                double const part = (dz ? sz.part : 1 - sz.part) * (dx ? sx.part : 1 - sx.part);
                if (part == 0) continue;
                sum += static_cast<Real>(part) * grid.scattered(psi, i, j, fz * grid.columns + fx);
            }
        landed[n] = sum;
    }
};

/// What reaches an energy, from which others, by material: entries first[m * energies + i] to
/// before first[m * energies + i + 1].
template <class Real>
struct Sources {
    std::int32_t const* first;
    std::int32_t const* from;
    Real const* part;
};

/// Slowing down: elements are cells of the new state.
template <class Real>
struct SlowDown {
    Grid<Real> grid;
    Sources<Real> sources;
    Real const* landed;
    Real* psi;

    SLUICE_HD void operator()(index n) const {
        index const sheet = n / grid.plane(), i = sheet / grid.angles, j = sheet % grid.angles;
        index const at = n % grid.plane();
        index const list = grid.material[at] * grid.energies + i;
        Real sum = 0;
        for (index k = sources.first[list]; k < sources.first[list + 1]; ++k)
            sum += sources.part[k] * grid.sheet(landed, sources.from[k], j)[at];
        psi[n] = sum;
    }
};

/// What slowing down and reactions leave: elements are [angle][z][x].
template <class Real>
struct Deposit {
    Grid<Real> grid;
    double const* loss;     ///< [material][energy]: MeV
    double const* nuclear;  ///< [material][energy]: MeV
    Real const* landed;
    double* deposit;  ///< is added to
    double* reacted;

    SLUICE_HD void operator()(index n) const {
        index const j = n / grid.plane(), at = n % grid.plane();
        index const list = grid.material[at] * grid.energies;
        double slowed = 0, lost = 0;
        for (index i = 0; i < grid.energies; ++i) {
            auto const f = static_cast<double>(grid.sheet(landed, i, j)[at]);
            slowed += loss[list + i] * f;
            lost += nuclear[list + i] * f;
        }
        deposit[n] += slowed;
        reacted[n] += lost;
    }
};

/// Weights of an energy and an angle in a step.
struct Sums {
    double before, left, right, front, end, angles, stopped, slowed, nuclear, truncated;
};

/// Where the weight went: elements are [energy][angle].
template <class Real>
struct Account {
    Grid<Real> grid;
    double const* stops;    ///< [material][energy]: parts
    double const* loss;     ///< [material][energy]: MeV
    double const* nuclear;  ///< [material][energy]: parts
    Real const* psi;
    Real const* landed;
    Sums* sums;
    double forward;

    SLUICE_HD void operator()(index n) const {
        index const i = n / grid.angles, j = n % grid.angles;
        Sums s = sums[n];
        Places const sz = places(grid.path[i] * forward * grid.cosine[j]);
        Places const sx = places(grid.path[i] * forward * grid.sine[j]);
        for (index z = 0; z < grid.planes; ++z)
            for (index x = 0; x < grid.columns; ++x) {
                index const at = z * grid.columns + x;
                auto const f = static_cast<double>(grid.scattered(psi, i, j, at));
                s.before += f;
                if (!grid.ring && (j == 0 || j + 1 == grid.angles))
                    s.angles += static_cast<double>(grid.diffusion[i] * grid.scattering[at]) *
                                static_cast<double>(grid.sheet(psi, i, j)[at]);
                if (grid.allowed[j] && f != 0) leave(s, f, z, x, sz, sx);
                auto const g = static_cast<double>(grid.sheet(landed, i, j)[at]);
                index const list = grid.material[at] * grid.energies + i;
                s.stopped += stops[list] * g;
                s.slowed += loss[list] * g;
                s.nuclear += nuclear[list] * g;
            }
        sums[n] = s;
    }

    SLUICE_HD void leave(Sums& s, double f, index z, index x, Places sz, Places sx) const {
        for (int dz = 0; dz < 2; ++dz)
            for (int dx = 0; dx < 2; ++dx) {
                index const tz = z + sz.whole + dz, tx = x + sx.whole + dx;
                double const w = f * (dz ? sz.part : 1 - sz.part) * (dx ? sx.part : 1 - sx.part);
                if (tz < 0)
                    s.front += w;
                else if (tz >= grid.planes)
                    s.end += w;
                else if (tx < 0)
                    s.left += w;
                else if (tx >= grid.columns)
                    s.right += w;
            }
    }
};

/// Weight that all but the last pass brings out of the window: elements are [energy of the first
/// rows][first or last angle].
template <class Real>
struct LeaveAhead {
    Grid<Real> grid;
    Real const* psi;
    Sums* sums;
    int pass;

    SLUICE_HD void operator()(index n) const {
        index const i = n / 2, j = n % 2 == 0 ? 0 : grid.angles - 1;
        if (grid.ring || pass >= grid.passes[i] - 1) return;
        double lost = 0;
        for (index at = 0; at < grid.plane(); ++at)
            lost += static_cast<double>(grid.diffusion[i] * grid.scattering[at]) *
                    static_cast<double>(grid.sheet(psi, i, j)[at]);
        sums[i * grid.angles + j].angles += lost;
    }
};

/// Drops lines at the ends of a plane with less than `least`: elements are [energy][angle].
template <class Real>
struct Trim {
    Grid<Real> grid;
    Real* psi;
    Sums* sums;
    double least;

    SLUICE_HD void operator()(index n) const {
        Real* const sheet = psi + n * grid.plane();
        index low = 0, high = grid.planes;
        while (low < high && drop(sheet + low * grid.columns, sums[n])) ++low;
        while (low < high && drop(sheet + (high - 1) * grid.columns, sums[n])) --high;
    }
    SLUICE_HD bool drop(Real* line, Sums& s) const {
        Real sum = 0;
        for (index x = 0; x < grid.columns; ++x) sum += line[x];
        if (!(static_cast<double>(sum) < least)) return false;
        for (index x = 0; x < grid.columns; ++x) line[x] = 0;
        s.truncated += static_cast<double>(sum);
        return true;
    }
};

}  // namespace sluice::proton::dense
