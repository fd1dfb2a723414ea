// The parts that guards_of() is made of.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "domain/proton/guards/way.h"
#include "sluice/proton_guards.h"

namespace sluice::proton::guards {

/// What part of its middle a profile is wrong by at the worst depth, because protons fly in the
/// angles of the grid only.
double profile_error(Phantom const& phantom, Beam const& beam, MarchOptions const& options,
                     std::vector<Crossing> const& way);

std::optional<Guard> of_profile(Physics const& physics, Phantom const& phantom, Beam const& beam,
                                MarchOptions const& options);
std::optional<Guard> of_initial_angles(Beam const& beam, double step, double window,
                                       std::string_view key);
std::vector<Guard> of_depth(Physics const& physics, Phantom const& phantom, Beam const& beam,
                            MarchOptions const& options);

}  // namespace sluice::proton::guards
