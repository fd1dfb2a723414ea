// The R of the iterations, and notes about it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/run/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"

namespace sluice::ptycho {

double last_r(Rounds const& rounds, index stage) {
    return !rounds.empty() && rounds.back().stage == stage ? rounds.back().r : NAN;
}

bool rests(Rounds const& rounds, index iterations) {
    return iterations >= 11 && rounds[rounds.size() - 11].r - rounds.back().r < 0.001;
}

std::string note_of_rest(index stage, index iterations) {
    return fmt::format("stage {} stopped after {}: R fell by less than 0.001 in the last ten",
                       stage + 1, plural(iterations, "iteration"));
}

std::string note_of_rise(Rounds const& rounds, index stage) {
    double least = HUGE_VAL;
    for (auto const& round : rounds)
        if (round.stage == stage) least = std::min(least, round.r);
    double const last = rounds.empty() ? 0 : rounds.back().r;
    if (!(last > 1.5 * least)) return {};
    return fmt::format(
        "stage {}: R rose from {:.4f} to {:.4f} at its end, and no earlier state was restored "
        "(take fewer iterations, smaller steps, or another solver)",
        stage + 1, least, last);
}

std::string note_of_going_back(BestRound const& best, index stage, index iteration, bool ends) {
    std::string const rose =
        std::isfinite(best.last())
            ? fmt::format("R rose from {:.4f} to {:.4f}", best.r(), best.last())
            : std::string("values were no longer finite");
    return fmt::format("stage {}: {} by iteration {}; {} the state of iteration {}{}", stage + 1,
                       rose, iteration, ends ? "it stopped with" : "it went on from",
                       best.iteration(),
                       ends ? " (take smaller steps or smaller groups)" : " with half the steps");
}

std::string note_of_last_step(Rounds const& rounds, double r) {
    double const before = rounds.empty() ? r : rounds.back().r;
    if (r <= 1.5 * before + 1e-3) return {};
    return fmt::format(
        "the last iteration raised R from {:.4f} to {:.4f}, and no other followed it: take fewer "
        "iterations or smaller steps",
        before, r);
}

}  // namespace sluice::ptycho
