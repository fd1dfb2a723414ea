// BestRound: in which iteration a stage was best, and whether it went wrong since then.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "domain/ptychography/archive.h"

namespace sluice::ptycho {

/// An iteration's R belongs to the state before it. The owner of the states keeps that state.
class BestRound {
  public:
    /// `noise`: the square of the R that counting noise alone leaves; 0: not known. `constrained`:
    /// R may rise for once, and stay there, since a constraint holds.
    explicit BestRound(bool on, double noise = 0, bool constrained = false)
        : on_(on), constrained_(constrained), noise_(noise) {}

    bool on() const { return on_; }
    /// After an iteration, with the R it had (NaN: there was none): whether the state before it is
    /// the best one now.
    bool after(double r, index iteration) {
        if (!on_ || std::exchange(begins_anew_, false)) return false;
        if (!std::isfinite(r)) {
            lost_ = true;
            last_ = HUGE_VAL;
            return iteration_ == 0;
        }
        rising_ = r > last_ ? rising_ + 1 : 0;
        last_ = r;
        if (r >= r_) {
            worse_ = is_worse() ? worse_ + 1 : 0;
            return false;
        }
        worse_ = 0;
        r_ = r;
        iteration_ = iteration;
        return true;
    }
    /// Whether R is half more than the best, or what of R^2 is beyond counting is 2.25 times the
    /// best and half of the noise more: near the noise R hardly moves, whatever the dose.
    bool is_worse() const {
        if (!on_) return false;
        double const beyond = last_ * last_ - noise_, best = std::max(r_ * r_ - noise_, 0.0);
        return last_ > 1.5 * r_ || (noise_ > 0 && beyond > 2.25 * best + 0.5 * noise_);
    }
    /// Three times in a row R rose until it is worse, or stayed worse.
    bool diverges() const {
        return on_ && (lost_ || (worse_ >= 3 && !constrained_) || (rising_ >= 3 && is_worse()));
    }
    /// Whether a stage should not end as it is.
    bool ends_worse() const { return is_worse() && !constrained_; }
    /// Whether an iteration was completed.
    bool any() const { return iteration_ > 0; }
    double last() const { return last_; }
    /// The iteration of the stage before which the state was best, and its R.
    index iteration() const { return iteration_; }
    double r() const { return r_; }
    /// The state is the best one again.
    void went_back() {
        rising_ = worse_ = 0;
        lost_ = false;
        last_ = r_;
    }
    /// In this iteration the state changed so much that R cannot be compared: earlier states no
    /// longer count as the best.
    void begin_anew() {
        begins_anew_ = on_;
        rising_ = worse_ = 0;
        r_ = last_ = HUGE_VAL;
    }
    /// Shows all that one iteration leaves to the next.
    template <class Real>
    void keep(Archive<Real>& archive) {
        archive.number("best r", r_);
        archive.number("last r", last_);
        archive.number("rising", rising_);
        archive.number("worse", worse_);
        archive.number("lost", lost_);
        archive.number("best iteration", iteration_);
    }

  private:
    bool on_, constrained_, lost_ = false, begins_anew_ = false;
    double noise_;
    int rising_ = 0, worse_ = 0;
    double r_ = HUGE_VAL, last_ = HUGE_VAL;
    index iteration_ = 0;
};

}  // namespace sluice::ptycho
