// What the R of the iterations says about a stage: that it rests, that it rose, that it diverged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "domain/ptychography/best_round.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

using Rounds = std::vector<stem4d::PtychographyRound>;

/// Of the iteration before, where it belongs to the same stage; else NaN.
double last_r(Rounds const& rounds, index stage);

/// Whether R hardly fell in the last ten of a stage's iterations.
bool rests(Rounds const& rounds, index iterations);
std::string note_of_rest(index stage, index iterations);

/// For stages that do not go back, the note that R rose at the end; empty: it did not.
std::string note_of_rise(Rounds const& rounds, index stage);

/// That a stage went back to its best state in this iteration, where it ends or goes on.
std::string note_of_going_back(BestRound const& best, index stage, index iteration, bool ends);

/// R of an iteration is that of the state before it, so the last step may have gone wrong: `r` is
/// that of the state behind it. Empty: it did not.
std::string note_of_last_step(Rounds const& rounds, double r);

}  // namespace sluice::ptycho
