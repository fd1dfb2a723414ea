// What pencils carry from plane to plane.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "domain/proton/cube/beam_cube.h"

namespace sluice::proton::cube {

/// Planes that are worked on together.
inline constexpr index slab_planes = 32;
/// Pixels of the fine grid along a side of one of the coarse grid.
inline constexpr index coarse_side = 4;
/// Standard deviation of a pencil's own fluence, in pixels: neighbours overlap smoothly.
inline constexpr double own_sigma = 0.45;
/// The part of the variance of scattering that pencils are split over; the rest is that of parts.
inline constexpr double split_part = 0.42;

/// What the rays of a beam meet in the planes of a slab, [plane][row][column].
struct RaySlab {
    std::vector<float> stopping, scattering;
    std::vector<float> water;   ///< mm that a ray has met before the plane
    std::vector<char> uniform;  ///< of each plane: all rays meet the same there
    index first = 0, count = 0;
};

/// The pencils of one sheet.
struct PencilState {
    Sheet const* sheet = nullptr;
    std::vector<float> protons = {};  ///< [row][column]
    std::vector<float> angle = {}, both = {},
                       place = {};  ///< Fermi and Eyges's moments by the patient
    /// Water that neighbours met instead, at both sides along x and y, mm.
    std::array<std::vector<float>, 4> beside = {};
    std::array<double, 2> least{};  ///< variance that `protons` and own_sigma have, mm2 of the fan
    std::vector<double> deposited = {};  ///< of each row of blocks, Gy mm3
    /// Whether `beside` has anything, of each row of blocks.
    std::vector<char> looked = {};
    bool done = false;
};

/// A part of a pencil that went aside, and met what lies there.
struct Aside {
    index pixel = 0;
    float dose = 0, let = 0;
    std::array<float, 2> variance{};  ///< along x and y, in pixels squared
};

/// The pencils of a sheet in one plane.
struct PlanePencils {
    std::array<std::vector<float>, 2> weight, narrow;         ///< dose and dose times LET
    std::array<std::vector<float>, 2> coarse, coarse_narrow;  ///< of the halo
    /// Coarse: what splitting gave and what it took (below 0).
    std::array<std::vector<float>, 2> changed, changed_narrow;
    std::vector<int> reach, coarse_reach, changed_reach[2];
    std::vector<std::vector<Aside>> aside;  ///< of each row of blocks
    std::vector<char> met;                  ///< where parts of others lie, too
    bool any = false;
    double all = 0, cut = 0;  ///< dose of all, and of those that are wider than the grid's margin
};

/// One over the sum of exp(-a d^2) over all whole d.
double part_of_line(double a);

/// Spots as protons of each pixel.
PencilState begin_pencils(Sheet const& sheet, Fan const& fan);

}  // namespace sluice::proton::cube
