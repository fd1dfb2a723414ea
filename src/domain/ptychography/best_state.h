// BestState: what a stage goes back to when R rises.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "domain/ptychography/archive.h"
#include "domain/ptychography/best_round.h"
#include "domain/ptychography/keep_state.h"

namespace sluice::ptycho {

/// An iteration's R belongs to the state before it, so the best state is saved before an iteration.
template <class Real>
class BestState : public BestRound {
  public:
    using BestRound::BestRound;

    /// Before an iteration.
    void before(State<Real> const& state) {
        if (on()) candidate_ = state;
    }
    /// After it, as BestRound's.
    void after(double r, index iteration) {
        if (BestRound::after(r, iteration)) std::swap(best_, candidate_);
    }
    void restore(State<Real>& state) {
        state = best_;
        went_back();
    }
    /// Shows all that one iteration leaves to the next; `like` has the shapes.
    Status keep(State<Real> const& like, Archive<Real>& archive) {
        if (!on()) return {};
        BestRound::keep(archive);
        bool any = !best_.object.empty();
        archive.number("has best", any);
        if (!any) return {};
        if (best_.object.empty()) best_ = like;
        keep_state(best_, archive);
        return check_places(best_);
    }

  private:
    State<Real> best_, candidate_;
};

}  // namespace sluice::ptycho
