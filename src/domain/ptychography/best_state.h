// BestState: what a stage goes back to when R rises.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <utility>

#include "domain/ptychography/keep_state.h"

namespace sluice::ptycho {

/// R of an iteration is that of the state before it, so that the best one is kept from there.
template <class Real>
class BestState {
  public:
    explicit BestState(bool on) : on_(on) {}

    /// Before an iteration.
    void before(State<Real> const& state) {
        if (on_) candidate_ = state;
    }
    /// After it, with the R it had; NaN: there was none.
    void after(double r, index iteration) {
        if (!on_) return;
        if (!std::isfinite(r)) {
            lost_ = true;
            if (iteration_ == 0) std::swap(best_, candidate_);
            last_ = HUGE_VAL;
            return;
        }
        rising_ = r > last_ ? rising_ + 1 : 0;
        last_ = r;
        if (r >= r_) return;
        r_ = r;
        iteration_ = iteration;
        std::swap(best_, candidate_);
    }
    /// R rose three times in a row and is half more than the best: noise and constraints do less.
    bool diverges() const { return on_ && (lost_ || (rising_ >= 3 && last_ > 1.5 * r_)); }
    /// Whether an iteration was completed.
    bool any() const { return iteration_ > 0; }
    double last() const { return last_; }
    /// The iteration of the stage before which the state was best, and its R.
    index iteration() const { return iteration_; }
    double r() const { return r_; }
    void restore(State<Real>& state) {
        state = best_;
        rising_ = 0;
        lost_ = false;
        last_ = r_;
    }
    /// Shows all that one iteration leaves to the next; `like` has the shapes.
    void keep(State<Real> const& like, Archive<Real>& archive) {
        if (!on_) return;
        archive.number("best r", r_);
        archive.number("last r", last_);
        archive.number("rising", rising_);
        archive.number("lost", lost_);
        archive.number("best iteration", iteration_);
        bool any = !best_.object.empty();
        archive.number("has best", any);
        if (!any) return;
        if (best_.object.empty()) best_ = like;
        keep_state(best_, archive);
    }

  private:
    bool on_, lost_ = false;
    int rising_ = 0;
    double r_ = HUGE_VAL, last_ = HUGE_VAL;
    index iteration_ = 0;
    State<Real> best_, candidate_;
};

}  // namespace sluice::ptycho
