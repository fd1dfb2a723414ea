// Causes of a misfit: what else the settings could have been, and a short trial of each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "sluice/ptychography_judge.h"

namespace sluice::ptycho {

using stem4d::Patterns;
using stem4d::PtychographyOptions;
using stem4d::TriedCause;

/// A matrix for positions, row by row.
using Turn = std::array<double, 4>;
inline Turn opposite(Turn const& m) {
    return {-m[0], -m[1], -m[2], -m[3]};
}

/// One cause, and what it makes of the patterns' positions and the options.
struct Cause {
    TriedCause tried = {};
    std::vector<std::complex<float>> probe = {};  ///< instead of the options'; empty: theirs
    index modes = 0;                              ///< instead of the options'; 0: theirs
};

/// Patterns for a trial: those that it sees, and some among them that it does not.
struct Trial {
    Patterns seen, held_out;
};
/// Every fifth of the inner ones is held out.
Result<Trial> trial_of(Patterns const& part);

/// Pixels from zero frequency to the middle of each pattern's counts.
std::vector<stem4d::Position> centers_of_mass(Patterns const& patterns);

/// The turns of the positions, row by row, under which the centres of mass have least curl: with
/// axes as they are and exchanged, each and its opposite. Empty: the patterns do not determine it.
std::vector<Turn> turns_without_curl(Patterns const& patterns);

std::vector<Cause> other_orientations(Patterns const& patterns, PtychographyOptions const& options);
std::vector<Cause> other_units(Patterns const& patterns);
std::vector<Cause> other_probes(Patterns const& patterns, PtychographyOptions const& options);
std::vector<Cause> more_modes(PtychographyOptions const& options);

}  // namespace sluice::ptycho
