// The materials of a plane as the kernels read them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/columns.h"

#include <algorithm>
#include <cmath>

#include "domain/proton/marching/grid.h"

namespace sluice::proton::marching {

template <class Real>
PlaneColumns<Real>::PlaneColumns(Physics const& physics, Phantom const& phantom, double range_step,
                                 index stride)
    : phantom_(phantom), stride_(stride) {
    double const water = mean_excitation_energy(physics.table()), steps = phantom.dz / range_step;
    for (Material const& m : phantom.materials) {
        double const own = m.excitation_energy > 0 ? m.excitation_energy : water;
        // Bethe: the ratio to water is n (1 + ln(I_water / I) / L(E)).
        materials_.push_back({m.electron_density * steps,
                              m.electron_density * std::log(water / own) * steps,
                              m.electron_density, m.nuclear, is_gas(m) ? 0 : m.scattering,
                              is_gas(m) ? m.scattering : 0});
    }
    auto const n = static_cast<std::size_t>(stride);
    for (auto* v : {&shift_, &bend_, &straggling_, &nuclear_}) v->resize(n);
    for (auto* v : {&before_, &behind_, &gas_before_, &gas_behind_}) v->resize(n);
    nuclear_energy_.resize(n);
}

template <class Real>
auto PlaneColumns<Real>::numbers(index plane, index x) const -> Numbers const& {
    index const column = std::min(x, phantom_.columns - 1);
    std::size_t const which =
        phantom_.map.empty()
            ? 0
            : phantom_.map[static_cast<std::size_t>(plane * phantom_.columns + column)];
    return materials_[which];
}

template <class Real>
void PlaneColumns<Real>::choose(index plane) {
    bool const same = phantom_.map.empty() && plane_ >= 0;
    plane_ = plane;
    std::swap(before_, behind_);
    std::swap(gas_before_, gas_behind_);
    most_electrons_ = 0;
    for (index x = 0; x < stride_; ++x) {
        Numbers const& m = numbers(plane, x);
        auto const k = static_cast<std::size_t>(x);
        straggling_[k] = static_cast<Real>(m.straggling);
        most_electrons_ = std::max(most_electrons_, m.straggling);
        behind_[k] = m.scattering;
        gas_behind_[k] = m.gas;
        if (same) continue;
        shift_[k] = static_cast<Real>(m.shift);
        bend_[k] = static_cast<Real>(m.bend);
        nuclear_[k] = static_cast<Real>(m.nuclear);
    }
}

template <class Real>
void PlaneColumns<Real>::scale_straggling(double factor) {
    for (Real& s : straggling_) s = static_cast<Real>(s * factor);
}

template <class Real>
std::vector<double> PlaneColumns<Real>::scattering(bool gas, double before, double behind) const {
    std::vector<double> const &first = gas ? gas_before_ : before_,
                              &second = gas ? gas_behind_ : behind_;
    std::vector<double> out(first.size());
    for (std::size_t x = 0; x < out.size(); ++x) out[x] = before * first[x] + behind * second[x];
    return out;
}

template <class Real>
double PlaneColumns<Real>::mean_scattering(std::span<Real const> row_sums,
                                           std::span<double const> young, index low, index high,
                                           index left, index right, double before,
                                           double behind) const {
    double sum = 0, weight = 0;
    for (index i = low; i < high; ++i)
        for (index x = left; x < right; ++x) {
            auto const k = static_cast<std::size_t>(x);
            auto const w = static_cast<double>(row_sums[static_cast<std::size_t>(i * stride_ + x)]);
            double const gas = before * gas_before_[k] + behind * gas_behind_[k];
            sum += w * (before * before_[k] + behind * behind_[k] +
                        young[static_cast<std::size_t>(i)] * gas);
            weight += w;
        }
    return weight > 0 ? sum / weight : 0;
}

template <class Real>
bool PlaneColumns<Real>::uniform(index left, index right) const {
    if (phantom_.map.empty()) return true;
    auto const plane = phantom_.map.begin() + plane_ * phantom_.columns;
    auto const past = plane + std::min(right, phantom_.columns);
    return std::all_of(plane + left, past, [&](auto m) { return m == plane[left]; });
}

template <class Real>
std::pair<double, double> PlaneColumns<Real>::shifts(std::span<Real const> bend, Window rows,
                                                     Window columns) const {
    auto const [from, to] = std::minmax_element(bend.begin() + rows.low, bend.begin() + rows.high);
    double least = 1e300, most = 0;
    for (index x = columns.low; x < columns.high; ++x)
        for (Real const b : {*from, *to}) {
            auto const k = static_cast<std::size_t>(x);
            double const s = static_cast<double>(shift_[k]) + static_cast<double>(bend_[k]) * b;
            least = std::min(least, s);
            most = std::max(most, s);
        }
    return {std::max(least, 0.0), most};
}

template class PlaneColumns<float>;
template class PlaneColumns<double>;

}  // namespace sluice::proton::marching
