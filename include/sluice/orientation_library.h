// OrientationLibrary: what patterns of known crystals look like along all zone axes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "sluice/orientation_map.h"
#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// Patterns are kinematic: an intensity is |F|^2 exp(-s^2 / (2 excitation_sigma^2)), where s is how
/// far a reflection is off Ewald's sphere. Thickness and dynamical scattering are not modelled.
struct LibraryOptions {
    double kilovolts = 0;            ///< of the electrons; needed
    double zone_step = 1;            ///< degrees between neighbouring zones
    double most_frequency = 1.5;     ///< in 1/ångström; reflections and disks beyond have no say
    double excitation_sigma = 0.02;  ///< in 1/ångström
    double precession_mrad = 0;      ///< half angle of the beam's cone; 0: it does not precess
    /// Disks are alike as far as Gaussians of this width about them overlap, in 1/ångström.
    double match_width = 0.08;
    /// A disk weighs its radius and its intensity to these powers, in theory and in a pattern.
    double radius_power = 0.5;
    double intensity_power = 0.25;
    /// Of a zone's strongest reflection: weaker ones do not show.
    double least_intensity = 1e-3;
};

/// A reflection of a crystal that lies in some way.
struct TheorySpot {
    Indices hkl{};
    double row = 0, col = 0;  ///< in 1/ångström from the direct beam, along the axes of the scan
    double excitation = 0;    ///< s, in 1/ångström
    double intensity = 0;     ///< of the strongest one, from 0 to 1
};

/// Made once; any number of threads may match with it. A copy shares the numbers.
class OrientationLibrary {
  public:
    struct State;

    /// Zones of one or more phases. Names of cells tell phases apart. Errors: no voltage, no phase,
    /// two phases of one name, those of symmetry_of() and structure_factors().
    static Result<OrientationLibrary> build(std::span<UnitCell const> phases,
                                            LibraryOptions const& options, Options const& run = {});

    std::vector<CrystalPhase> const& phases() const;
    LibraryOptions const& options() const;
    index zones() const;  ///< of all phases
    index zones(index phase) const;
    std::uint64_t bytes() const;  ///< of memory
    double build_seconds() const;
    std::vector<std::string> const& notes() const;

    /// What a phase shows in an orientation, the strongest first. Errors: no such phase.
    Result<std::vector<TheorySpot>> pattern(index phase, Orientation const& orientation) const;

    State const& state() const { return *state_; }

  private:
    explicit OrientationLibrary(std::shared_ptr<State const> state) : state_(std::move(state)) {}
    std::shared_ptr<State const> state_;
};

}  // namespace sluice::stem4d
