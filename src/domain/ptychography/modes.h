// Modes of a partially coherent probe: a start, and the orthogonal ones that give the same
// patterns. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/state.h"

namespace sluice::ptycho {

/// From some modes to `count`: the others are the first one times low powers of the place (as
/// Hermite's functions are), made orthogonal, each with 0.02 of the power, and with half of it
/// together at most. The power of all stays.
template <class Real>
void add_modes(std::vector<Planar<Real>>& probe, index count);

/// Replaces the modes by orthogonal ones with the same sum of intensities on every plane, strongest
/// first: the eigenvectors of their Gram matrix (P. Thibault and A. Menzel,
/// 10.1038/nature11806).
template <class Real>
void make_orthogonal(std::vector<Planar<Real>>& probe);

/// The power of each mode.
template <class Real>
std::vector<double> mode_powers(std::vector<Planar<Real>> const& probe);

}  // namespace sluice::ptycho
