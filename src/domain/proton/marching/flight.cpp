// From one face to the next: drift, nuclear loss, straggling and slowing down.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/flight.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton::marching {

template <class Real>
Flight<Real>::Flight(State<Real>& state, PlaneColumns<Real>& columns, Phantom const& phantom,
                     MarchOptions const& options)
    : state_(state),
      columns_(columns),
      phantom_(phantom),
      options_(options),
      bend_(state.rows.bend.begin(), state.rows.bend.end()) {}

template <class Real>
double Flight<Real>::path_factor(index angle) const {
    return longer_ / std::cos(state_.angles.angle[static_cast<std::size_t>(angle)]);
}

template <class Real>
double Flight<Real>::shift_of(index angle) const {
    return phantom_.dz * std::tan(state_.angles.angle[static_cast<std::size_t>(angle)]) /
           phantom_.dx;
}

// The least and the longest path of the window's angles.
template <class Real>
std::pair<double, double> Flight<Real>::paths() const {
    double least = 1e300, most = 0;
    for (index j = state_.box.angle.low; j < state_.box.angle.high; ++j) {
        double const f = path_factor(j);
        least = std::min(least, f);
        most = std::max(most, f);
    }
    return {least, most};
}

template <class Real>
Cut Flight<Real>::cut_for_plane() {
    RangeRows const& rows = state_.rows;
    auto const [shortest, longest] = paths();
    auto const [least, most] = columns_.shifts(bend_, state_.box.row.low, state_.box.row.high);
    Cut cut;
    least_shift_ = least;
    most_shift_ = most;
    // Enough rows for all directions; each has its own part of it.
    cut.whole = static_cast<index>(std::floor(least * shortest + 1e-9));
    double const rest = most * longest - static_cast<double>(cut.whole);
    cut.slowing = std::max(1, static_cast<int>(std::ceil(rest - 1e-9)));
    double const straggling = rows.most_straggling * longest * columns_.most_electrons() / 0.5;
    cut.straggling = options_.straggling ? std::max(1, static_cast<int>(std::ceil(straggling))) : 0;
    // The parts that go up and down are those of one of water's passes.
    if (cut.straggling > 0) columns_.scale_straggling(rows.straggling / double(cut.straggling));
    return cut;
}

// Of one direction: the more of its way goes in whole rows, the less is smeared.
template <class Real>
Cut Flight<Real>::cut_for_angle(Cut cut, index angle) const {
    double const path = path_factor(angle);
    cut.whole = static_cast<index>(std::floor(least_shift_ * path + 1e-9));
    double const rest = most_shift_ * path - static_cast<double>(cut.whole);
    cut.slowing = std::max(1, static_cast<int>(std::ceil(rest - 1e-9)));
    return cut;
}

template <class Real>
Status Flight<Real>::over(index plane, double out_of_plane, MarchResult& result) {
    longer_ = 1 + (options_.out_of_plane && options_.scattering ? out_of_plane / 2 : 0);
    std::fill(columns_.nuclear_energy().begin(), columns_.nuclear_energy().end(), 0.0);
    return state_.box.row.empty() ? Status() : fly(plane, result);
}

template <class Real>
Status Flight<Real>::fly(index plane, MarchResult& result) {
    Cut const cut = cut_for_plane();
    Box& box = state_.box;
    Window& row = box.row;
    row.low = std::max<index>(0, row.low - cut.whole - cut.slowing - cut.straggling);
    row.high = std::min(state_.rows.size(), row.high + std::max(1, cut.straggling));
    std::vector<Way> ways;
    for (index j = box.angle.low; j < box.angle.high; ++j)
        ways.push_back({shift_of(j), path_factor(j), cut_for_angle(cut, j)});
    state_.widen(ways);
    // On the average a step leaves its energy half way.
    double const back = options_.splitting == Splitting::strang ? 0.5 : 0;
    Crossing<Real> const how{state_.columns(), std::move(ways), columns_.kernel(), back};
    SLUICE_TRY(Flown const flown, state_.cells->fly(box, how, state_.angle_sums));
    result.cells += row.size() * box.angle.size() * state_.columns();
    count(plane, flown, result);
    return state_.narrow();
}

template <class Real>
void Flight<Real>::count(index plane, Flown const& flown, MarchResult& result) {
    Ledger& l = result.ledger;
    Window const x = state_.box.x;
    double const unit = state_.unit;
    auto const in_protons = [&](Share const& s) { return Share{s.weight * unit, s.energy * unit}; };
    // The sides of the box hold almost no weight, unless they are the phantom's.
    (x.low == 0 ? l.left : l.truncated) += in_protons(flown.left);
    (x.high == state_.stride ? l.right : l.truncated) += in_protons(flown.right);
    l.stopped += in_protons(flown.stopped);
    l.nuclear += in_protons(flown.nuclear);
    double* const out = result.deposit.data() + plane * phantom_.columns + x.low;
    for (std::size_t k = 0; k < flown.deposit.size(); ++k) {
        std::size_t const column = static_cast<std::size_t>(x.low) + k;
        out[k] += flown.deposit[k] * unit;
        columns_.nuclear_energy()[column] += flown.nuclear_energy[k] * unit;
    }
}

template class Flight<float>;
template class Flight<double>;

}  // namespace sluice::proton::marching
