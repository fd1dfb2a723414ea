// Pace: the momentum of LSQML where the probe has modes, from one iteration to the next.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "domain/ptychography/job.h"

namespace sluice::ptycho {

/// Whether a stage has momentum. A source that is blurred looks like an object of less contrast, so
/// that powers of modes and contrast change together, along a narrow valley where single steps are
/// short. What varies from pattern to pattern remembers the modes as they are: no momentum there.
template <class Real>
bool has_momentum(Job<Real> const& job) {
    auto const& stage = job.stage;
    return stage.solver == PtychographyStage::Solver::lsqml && job.state.probe.size() > 1 &&
           stage.momentum > 0 && !stage.fix_object && !stage.fix_probe && !job.state.varies();
}

/// B. T. Polyak's heavy ball (10.1016/0041-5553(64)90137-5): each iteration sets out from where the
/// last one ended plus a part of what it moved by, which grows to 0.97. Where R rises it begins
/// anew (B. O'Donoghue and E. Candes, 10.1007/s10208-013-9150-3) and grows to 0.8 times as much: it
/// lengthens the steps that noise makes, too.
class Pace {
  public:
    struct Factors {
        double keep = 0, gain = 0;  ///< as Velocity::push() takes them
    };
    /// Before an iteration, with the R of the one before; NaN: there was none.
    Factors next(double r) {
        bool const rises = r > 1.002 * last_;
        // It begins when the first large steps are done, and anew at once.
        steps_ = std::isnan(r) ? 0 : rises ? 3 : steps_ + 1;
        last_ = std::isnan(r) ? HUGE_VAL : r;
        if (rises) most_ *= 0.8;
        double const keep = gain_;
        double const k = static_cast<double>(std::max<index>(steps_ - 3, 0));
        gain_ = std::min(most_, k / (k + 1));
        return {keep, gain_};
    }
    template <class Real>
    void keep(Archive<Real>& archive) {
        archive.number("momentum/iterations", steps_);
        archive.number("momentum/last r", last_);
        archive.number("momentum/gain", gain_);
        archive.number("momentum/most", most_);
    }

  private:
    index steps_ = 0;
    double last_ = HUGE_VAL, gain_ = 0, most_ = 0.97;
};

}  // namespace sluice::ptycho
