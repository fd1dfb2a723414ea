// An energy of a machine, or one between two of its table.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/machine/kernel.h"

namespace sluice::proton {
namespace {

double mixed(double below, double above, double part) {
    return below + part * (above - below);
}

// Second moments, so that the mixture of two Gaussians is one, and that of drifted ones drifted.
SpotGaussian mixed(SpotGaussian const& a, SpotGaussian const& b, double part) {
    SpotGaussian g{.weight = mixed(a.weight, b.weight, part)};
    auto const root = [part](double below, double above) {
        return std::sqrt(mixed(below * below, above * above, part));
    };
    for (std::size_t i = 0; i < 2; ++i) {
        g.sigma[i] = root(a.sigma[i], b.sigma[i]);
        g.divergence[i] = root(a.divergence[i], b.divergence[i]);
        g.covariance[i] = mixed(a.covariance[i], b.covariance[i], part);
    }
    return g;
}

// One that only the other energy has begins with no weight.
SpotGaussian gaussian_at(MachineEnergy const& e, MachineEnergy const& other, std::size_t i) {
    if (i < e.spots.size()) return e.spots[i];
    SpotGaussian g = other.spots[i];
    g.weight = 0;
    return g;
}

MachineEnergy mixed(MachineEnergy const& a, MachineEnergy const& b, double nominal) {
    double const part = (nominal - a.nominal) / (b.nominal - a.nominal);
    MachineEnergy e{.nominal = nominal,
                    .mean = mixed(a.mean, b.mean, part),
                    .spread = mixed(a.spread, b.spread, part)};
    if (a.protons_per_mu > 0 && b.protons_per_mu > 0)
        e.protons_per_mu = mixed(a.protons_per_mu, b.protons_per_mu, part);
    for (std::size_t i = 0; i < std::max(a.spots.size(), b.spots.size()); ++i)
        e.spots.push_back(mixed(gaussian_at(a, b, i), gaussian_at(b, a, i), part));
    if (!a.kernel.depth.empty() && !b.kernel.depth.empty())
        e.kernel = kernel_between(a.kernel, b.kernel, e.mean);
    return e;
}

}  // namespace

Result<MachineSetting> setting_of(Machine const& m, double nominal) {
    if (m.energies.empty()) return Error{Code::invalid_argument, "the machine has no energy"};
    // As plans and tables round them, and what a table's ends may be off by.
    constexpr double same = 1e-6, margin = 1e-3;
    auto const above =
        std::ranges::lower_bound(m.energies, nominal * (1 - same), {}, &MachineEnergy::nominal);
    bool const near = above != m.energies.end() && above->nominal <= nominal * (1 + same);
    if (near) return MachineSetting{*above, false};
    double const first = m.energies.front().nominal, last = m.energies.back().nominal;
    if (!(nominal >= first * (1 - margin) && nominal <= last * (1 + margin)))
        return Error{
            Code::invalid_argument,
            fmt::format("the machine '{}' has energies from {:g} to {:g} MeV, and {:g} MeV is "
                        "none of them; give another machine or plan",
                        m.name, first, last, nominal)};
    if (above == m.energies.begin()) return MachineSetting{m.energies.front(), false};
    if (above == m.energies.end()) return MachineSetting{m.energies.back(), false};
    return MachineSetting{mixed(*(above - 1), *above, nominal), true};
}

}  // namespace sluice::proton
