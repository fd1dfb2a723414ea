// The rows, angles and materials of a march.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "domain/proton/marching/kernels.h"
#include "sluice/proton.h"

namespace sluice::proton::marching {

/// Rows of residual range, with water's numbers for a straight step of dz. A row stands for protons
/// of just its range, so that one that moves by whole rows loses just what it must (of the lowest
/// rows all together do: AtTheEnd); the beam's own range is a row. The lowest may lie behind the
/// end.
struct RangeRows {
    double step = 0;             ///< mm
    std::vector<double> range;   ///< mm
    std::vector<double> energy;  ///< MeV that is booked: of the range and AtTheEnd
    std::vector<double> bend;    ///< 1 / Bethe's logarithm
    /// Straggling, in one of `straggling` passes: parts that go a row up, a row down, and `fall`
    /// rows down, for collisions that take much.
    std::vector<double> up, down, far;
    index fall = 0;                ///< 0: none do
    std::vector<double> variance;  ///< of energy, that straggling adds in a step, MeV^2
    std::vector<double> third;     ///< third central moment of what it takes, MeV^3
    std::vector<double> loss;      ///< to nuclear collisions, of any kind
    std::vector<double> scatter;   ///< variance of the angle in a step
    std::vector<double> young;     ///< what of it gases do: part_of_thick()
    double most_straggling = 0;    ///< part that leaves a row, of any, before it is cut into passes
    int straggling = 1;            ///< passes
    double spread = 0;             ///< of ranges, where they end: a standard deviation, in rows
    double carried = 0;            ///< rows that all of them lie nearer to the end of range
    index size() const { return static_cast<index>(range.size()); }
};
RangeRows range_rows(Physics const& physics, Phantom const& phantom, Beam const& beam,
                     MarchOptions const& options);

/// The same rows where all have come so far (0 .. 1 rows), by those that have not. Energies are
/// those of the new ranges; all else goes smoothly from row to row.
void carry_rows(RangeRows& rows, RangeRows const& still, Physics const& physics, double carried);

/// Angles, equally far apart; the beam's own is the middle one.
struct Angles {
    double step = 0;
    std::vector<double> angle;
    index size() const { return static_cast<index>(angle.size()); }
};
Angles angles_of(Beam const& beam, MarchOptions const& options);

/// Standard deviation of the range at its end, by straggling in water, mm.
double range_straggling(Physics const& physics, double energy);

/// Variance of the angle on the way of a proton from `from` to `to` mm of residual range in water.
double scattering_between(Physics const& physics, double from, double to);

/// What protons scatter that have slowed down by little since they entered with a beam, as a part
/// of what they do in thick absorbers: f_dM of the differential Moliere scattering power T_dM
/// (Gottschalk 2010, https://doi.org/10.1118/1.3264177), on the mean of a way between residual
/// ranges in water. (15 MeV/pv)^2/X_S alone makes angles behind a metre of air a quarter too wide.
double part_of_thick(Physics const& physics, Beam const& beam, double from, double to);
/// Media in which it counts: what is thinner than them is crossed by little of a range.
inline bool is_gas(Material const& m) {
    constexpr double densest = 0.02;
    return m.electron_density < densest;
}

/// Weights around a middle place with exactly the variance (in places), whatever it is. Those that
/// the places do not reach are missing in their sum.
std::vector<double> spread(index places, index middle, double variance);

/// Of a normal distribution, the part between two places.
double part_between(double from, double to, double mean, double sigma);

/// The beam's weight by row, and by [angle][column]: their product, over all of the three, is 1
/// less what begins beside the phantom, and what no row or angle has.
struct Start {
    std::vector<double> rows, lines;
    double outside_rows = 0, outside_angles = 0;  ///< what none of the rows, of the angles has
};
/// `profile`: parts by column, which replace the beam's Gaussian in x; empty: none do.
Start initial_state(Phantom const& phantom, Beam const& beam, RangeRows const& rows,
                    Angles const& angles, Physics const& physics,
                    std::span<double const> profile = {});

}  // namespace sluice::proton::marching
