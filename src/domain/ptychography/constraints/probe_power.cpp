// One factor for all modes, and its root for each slice.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/constraints/probe_power.h"

#include <cmath>

#include "domain/ptychography/modes.h"

namespace sluice::ptycho {

template <class Real>
void keep_power(Job<Real>& job, bool shared) {
    double power = 0;
    for (double p : mode_powers(job.state.probe)) power += p;
    if (!(power > 0)) return;
    auto const by = static_cast<Real>(std::sqrt(job.wave_power() / power));
    auto const scale = [](std::vector<Planar<Real>>& planes, Real factor) {
        for (auto& plane : planes)
            for (index r = 0; r < plane.rows(); ++r)
                for (index i = 0; i < 2 * plane.half(); ++i) plane.re(r)[i] *= factor;
    };
    scale(job.state.probe, by);
    scale(job.state.opr_modes, by);
    if (!shared) return;
    // The product over the slices is what counts.
    scale(job.state.object,
          static_cast<Real>(std::pow(static_cast<double>(by),
                                     -1.0 / static_cast<double>(job.state.object.size()))));
}

template void keep_power(Job<float>&, bool);
template void keep_power(Job<double>&, bool);

}  // namespace sluice::ptycho
