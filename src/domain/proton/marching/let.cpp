// Linear energy transfer of what flies through a plane.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/let.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "domain/proton/marching/at_the_end.h"

namespace sluice::proton::marching {

EnergyLet::EnergyLet(Physics const& physics, double most) {
    constexpr int count = 600;
    constexpr double least = 1e-3;
    double before = 0, s_before = 0;
    for (int i = 0; i <= count; ++i) {
        double const e = least * std::pow(most / least, double(i) / count);
        double const s = physics.stopping_power(e);
        double const so_far = sums_.empty() ? 0 : sums_.back();
        energies_.push_back(e);
        stopping_.push_back(s);
        sums_.push_back(so_far + (e - before) * (s + s_before) / 2);
        before = e;
        s_before = s;
    }
}

double EnergyLet::operator()(double energy) const {
    auto const above = std::upper_bound(energies_.begin(), energies_.end(), energy);
    auto const i = std::clamp<std::ptrdiff_t>(above - energies_.begin(), 1,
                                              static_cast<std::ptrdiff_t>(sums_.size()) - 1);
    auto const k = static_cast<std::size_t>(i);
    double const from = energies_[k - 1], over = energy - from;
    double const slope = (stopping_[k] - stopping_[k - 1]) / (energies_[k] - from);
    return std::max(0.0, sums_[k - 1] + over * (stopping_[k - 1] + over * slope / 2));
}

namespace {

// A plane's thickness in water, in parts so coarse that there are few of them: LET hardly asks over
// which length it is averaged. For a thickness of 0 it is that of a thin plane.
int thickness_of(Material const& m) {
    constexpr double parts = 64;
    return static_cast<int>(std::clamp(std::round(m.electron_density * parts), 1.0, 100 * parts));
}

}  // namespace

template <class Real>
Let<Real>::Let(Physics const& physics, Phantom const& phantom, RangeRows const& rows, bool keep)
    : physics_(physics),
      phantom_(phantom),
      rows_(rows),
      let_(physics, rows.energy.back() * 1.01),
      keep_(keep) {
    std::map<int, std::size_t> known;
    for (Material const& m : phantom.materials) {
        int const thickness = thickness_of(m);
        auto const [at, fresh] = known.emplace(thickness, known.size());
        slots_.push_back(at->second);
        if (fresh) lengths_.push_back(phantom.dz * thickness / 64);
    }
    passes_.resize(lengths_.size());
}

template <class Real>
auto Let<Real>::passes_in(std::size_t slot) -> std::vector<Pass> const& {
    std::vector<Pass>& passes = passes_[slot];
    if (!passes.empty()) return passes;
    auto const let = [&](double range) { return let_(physics_.energy(range)); };
    AtTheEnd const ways(rows_, 1, [](double range) { return range; });
    AtTheEnd const energies(rows_, 1, [&](double range) { return physics_.energy(range); });
    AtTheEnd const lets(rows_, 1, let);
    for (double const from : rows_.range) {
        double const to = from - lengths_[slot], first = std::max(from, 0.0),
                     last = std::max(to, 0.0);
        auto const lost = [&](auto const& of_range, AtTheEnd const& end) {
            double const before = (first > 0 ? of_range(first) : 0) + end.at(from);
            double const after = (last > 0 ? of_range(last) : 0) + end.at(to);
            return before - after;
        };
        passes.push_back({lost([](double r) { return r; }, ways),
                          lost([&](double r) { return physics_.energy(r); }, energies),
                          lost(let, lets)});
    }
    return passes;
}

template <class Real>
void Let<Real>::add_row(Real const* weights, index row, index plane) {
    bool const same = phantom_.map.empty();
    std::uint16_t const* const materials =
        same ? nullptr : phantom_.map.data() + plane * phantom_.columns + x_.low;
    auto const pass = [&](index k) {
        return passes_in(slots_[same ? 0 : materials[k]]).data() + row;
    };
    Pass const* p = pass(0);
    for (index k = 0; k < x_.size(); ++k) {
        if (!same) p = pass(k);
        auto const w = static_cast<double>(weights[k]);
        auto const i = static_cast<std::size_t>(k);
        path_[i] += w * p->path;
        energy_[i] += w * p->energy;
        energy_let_[i] += w * p->energy_let;
    }
}

template <class Real>
void Let<Real>::primaries(index plane, State<Real> const& state) {
    if (carried_ != rows_.carried)
        for (auto& known : passes_) known.clear();
    carried_ = rows_.carried;
    x_ = {state.box.x.low, state.box.x.low + state.columns()};
    for (auto* v : {&path_, &energy_, &energy_let_})
        v->assign(static_cast<std::size_t>(x_.size()), 0.0);
    for (index i = state.box.row.low; i < state.box.row.high; ++i)
        add_row(state.row_sums.data() + i * state.stride + x_.low, i, plane);
    for (auto* v : {&path_, &energy_, &energy_let_})
        // Behind the end, where weights are no parabola, there may be less than nothing.
        for (double& n : *v) n = std::max(0.0, n * state.unit);
}

template <class Real>
void Let<Real>::finish(index plane, Secondaries const& secondaries, Halo const& halo,
                       PlaneSums& sums, MarchResult& result) const {
    index const n = x_.size();
    Halo::Sums aside;
    for (Halo::Sums const& s : halo.sums()) aside += s;
    double const path = sum_of(path_, 0, n) + aside.path;
    double const energy = sum_of(energy_, 0, n) + aside.energy;
    double const squares = sum_of(energy_let_, 0, n) + aside.energy_let;
    auto const &left = secondaries.left(), &left_let = secondaries.left_let();
    double const others = sum_of(left, 0, phantom_.columns) + aside.others;
    double const others_let = sum_of(left_let, 0, phantom_.columns) + aside.others_let;
    // MeV/mm is keV/um.
    if (path > 0) sums.let_track = energy / path;
    if (energy > 0) sums.let_dose = squares / energy;
    if (energy + others > 0) sums.let_dose_all = (squares + others_let) / (energy + others);
    if (!keep_) return;
    index const begin = plane * phantom_.columns;
    std::ranges::copy(left, result.secondary.begin() + begin);
    std::ranges::copy(left_let, result.secondary_let.begin() + begin);
    std::copy(energy_.begin(), energy_.end(), result.primary.begin() + begin + x_.low);
    std::copy(energy_let_.begin(), energy_let_.end(), result.primary_let.begin() + begin + x_.low);
    auto at = static_cast<std::size_t>(begin);
    for (Halo::Sums const& s : halo.sums()) {
        result.primary[at] += s.energy;
        result.primary_let[at] += s.energy_let;
        result.secondary[at] += s.others;
        result.secondary_let[at++] += s.others_let;
    }
}

template class Let<float>;
template class Let<double>;

}  // namespace sluice::proton::marching
