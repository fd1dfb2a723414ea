// One factor for all modes, and its root for each slice.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/constraints/probe_power.h"

#include <cmath>

#include "domain/ptychography/modes.h"

namespace sluice::ptycho {

template <class Real>
PowerFactors power_factors(Job<Real> const& job) {
    double power = 0;
    for (double p : mode_powers(job.state.probe)) power += p;
    if (!(power > 0)) return {};
    double const by = static_cast<double>(static_cast<Real>(std::sqrt(job.wave_power() / power)));
    return {by, std::pow(by, -1.0 / static_cast<double>(job.state.object.size()))};
}

template <class Real>
void scale_planes(std::vector<Planar<Real>>& planes, double by) {
    auto const factor = static_cast<Real>(by);
    for (auto& plane : planes)
        for (index r = 0; r < plane.rows(); ++r)
            for (index i = 0; i < 2 * plane.half(); ++i) plane.re(r)[i] *= factor;
}

template <class Real>
void keep_power(Job<Real>& job, bool shared) {
    PowerFactors const by = power_factors(job);
    scale_planes(job.state.probe, by.probe);
    scale_planes(job.state.opr_modes, by.probe);
    if (shared) scale_planes(job.state.object, by.slice);
}

template PowerFactors power_factors(Job<float> const&);
template PowerFactors power_factors(Job<double> const&);
template void scale_planes(std::vector<Planar<float>>&, double);
template void scale_planes(std::vector<Planar<double>>&, double);
template void keep_power(Job<float>&, bool);
template void keep_power(Job<double>&, bool);

}  // namespace sluice::ptycho
