// Whether a fitted lattice may be believed: how it differs from where it began.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "domain/crystal/lattice/matrix2.h"

namespace sluice::crystal {

/// From one lattice to another: turned by `angle` (radian), and along its axes longer or shorter by
/// at most `stretch` of its length.
struct Change {
    double stretch = 0, angle = 0;
};
Change change_of(stem4d::LatticeBasis const& from, stem4d::LatticeBasis const& to);

/// How a pattern may differ from its basis: strain, and a turn (radian).
inline constexpr double most_stretch = 0.125, most_turn = 0.35;

/// Vectors of a lattice, as sums of its own, to which the way from a basis is short.
struct Named {
    Matrix2 sums{1, 0, 0, 1};
    Change change;
};
/// Least stretched of all that are turned by no more than a pattern may be, and of those that are
/// about as little stretched, least turned. Where others are turned more, but stretched by less
/// than half as much, it is those: a turn is likelier than so much strain.
Named nearest_vectors(stem4d::LatticeBasis const& from, stem4d::LatticeBasis const& to);
/// Sums of the vectors, as columns.
stem4d::LatticeBasis with_vectors(stem4d::LatticeBasis const& lattice, Matrix2 const& sums);

/// Whether almost all points (h, k) belong to one part of a lattice that has each second, third or
/// fifth of its points, and are too many to do so by chance. Disks of a coarser lattice do.
bool on_a_part(std::span<std::array<int, 2> const> points);

/// How many points were there before. They are sorted, or not.
index shared_points(std::span<std::array<int, 2>> points);

}  // namespace sluice::crystal
