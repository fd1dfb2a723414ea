// What protons should leave in each cell, beside what the march says they left.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/expected.h"

#include <algorithm>
#include <cmath>

#include "domain/proton/marching/at_the_end.h"

namespace sluice::proton::marching {

template <class Real>
Expected<Real>::Expected(Physics const& physics, Phantom const& phantom, RangeRows const& rows,
                         double angle)
    : physics_(physics),
      phantom_(phantom),
      rows_(rows),
      path_(1 / std::cos(angle)),
      loss_(phantom.materials.size()) {}

template <class Real>
std::vector<double> const& Expected<Real>::loss_in(std::size_t material) {
    std::vector<double>& loss = loss_[material];
    if (!loss.empty()) return loss;
    Material const& m = phantom_.materials[material];
    AtTheEnd const end(rows_, 2, [&](double r) { return physics_.energy(r); });
    for (std::size_t i = 0; i < rows_.range.size(); ++i) {
        double const energy = rows_.energy[i];
        double const water = m.electron_density > 0 && energy > 0
                                 ? physics_.relative_stopping_power(m, energy) * phantom_.dz * path_
                                 : 0;
        double const left = rows_.range[i] - water;
        loss.push_back(energy - (left > 0 ? physics_.energy(left) : 0) - end.at(left));
    }
    return loss;
}

template <class Real>
void Expected<Real>::enter(index plane, State<Real> const& state, PlaneSums const& sums) {
    if (carried_ != rows_.carried)
        for (auto& known : loss_) known.clear();
    carried_ = rows_.carried;
    x_ = {state.box.x.low, state.box.x.low + state.columns()};
    energy_.assign(static_cast<std::size_t>(std::max<index>(x_.size(), 0)), 0.0);
    // Half way through the plane they are so many columns farther.
    double const drift = std::tan(sums.angle) * phantom_.dz / 2 / phantom_.dx;
    double const whole = std::floor(drift), part = drift - whole;
    double const longer = (1 + sums.angle_variance) * state.unit;
    bool const same = phantom_.map.empty();
    std::uint16_t const* const materials =
        same ? nullptr : phantom_.map.data() + plane * phantom_.columns + x_.low;
    for (index i = state.box.row.low; i < state.box.row.high; ++i) {
        Real const* const row = state.row_sums.data() + i * state.stride;
        auto const at = [&](index x) {
            return x >= state.box.x.low && x < state.box.x.high ? static_cast<double>(row[x]) : 0.0;
        };
        for (index k = 0; k < x_.size(); ++k) {
            index const from = x_.low + k - static_cast<index>(whole);
            double const protons = (1 - part) * at(from) + part * at(from - 1);
            if (protons <= 0) continue;
            energy_[static_cast<std::size_t>(k)] +=
                protons * longer * loss_in(same ? 0 : materials[k])[static_cast<std::size_t>(i)];
        }
    }
}

template <class Real>
void Expected<Real>::compare(index plane, std::vector<double> const& before,
                             MarchResult& result) const {
    std::size_t const begin = static_cast<std::size_t>(plane * phantom_.columns);
    for (std::size_t x = 0; x < before.size(); ++x) {
        auto const k = static_cast<index>(x) - x_.low;
        bool const inside = k >= 0 && k < x_.size();
        result.unexplained[begin + x] = result.deposit[begin + x] - before[x] -
                                        (inside ? energy_[static_cast<std::size_t>(k)] : 0.0);
    }
}

template class Expected<float>;
template class Expected<double>;

}  // namespace sluice::proton::marching
