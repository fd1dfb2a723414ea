// The parts that guards_of() is made of.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "domain/proton/guards/way.h"
#include "sluice/proton_dense.h"
#include "sluice/proton_guards.h"

namespace sluice::proton::guards {

/// How a beam is computed.
struct Mode {
    MarchOptions options;                 ///< its angles are those around the beam's
    DenseOptions const* dense = nullptr;  ///< null: it is the march
};

/// The error of a profile at the worst depth, as part of its middle, because protons fly only in
/// the grid's angles.
double profile_error(Phantom const& phantom, Beam const& beam, MarchOptions const& options,
                     std::vector<Crossing> const& way);

/// The coarsest step of angles in which a beam's profile is right, from the options' own down to a
/// tenth of it; the options' own where no such step is enough.
double angle_step_for(Physics const& physics, Phantom const& phantom, Beam const& beam,
                      MarchOptions const& options);

std::optional<Guard> of_profile(Physics const& physics, Phantom const& phantom, Beam const& beam,
                                Mode const& mode);
std::optional<Guard> of_initial_angles(Beam const& beam, Mode const& mode);
/// Of its columns, planes, angles and lowest energy.
std::vector<Guard> of_grid(Physics const& physics, Phantom const& phantom, Beam const& beam,
                           Mode const& mode);
/// Of its steps of depth and range in a march.
/// Layers are beams that differ in their energies and weights only, and are judged together.
std::vector<Guard> of_depth(Physics const& physics, Phantom const& phantom,
                            std::span<Beam const> layers, MarchOptions const& options);

/// Of the energies and steps of the dense mode.
std::vector<Guard> of_dense_depth(Physics const& physics, Phantom const& phantom, Beam const& beam,
                                  DenseOptions const& options);

}  // namespace sluice::proton::guards
