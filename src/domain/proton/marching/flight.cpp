// From one face to the next: drift, nuclear loss, straggling and slowing down.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/flight.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton::marching {

template <class Real>
Flight<Real>::Flight(Physics const& physics, State<Real>& state, PlaneColumns<Real>& columns,
                     Phantom const& phantom, MarchOptions const& options)
    : physics_(physics),
      state_(state),
      columns_(columns),
      phantom_(phantom),
      options_(options),
      bend_(state.rows.bend.begin(), state.rows.bend.end()),
      after_(state.rows) {}

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

// What the beam's way leaves beside whole rows, if it is more than a hundredth of it: then the rows
// come nearer to the end of range by it, together. A part of a row that is cut off what is in it,
// in each plane anew, makes the deposit wrong: behind half a metre of air by 2 %. Where columns are
// not all alike the rows lie still, for one of them would be right and the others not.
template <class Real>
double Flight<Real>::carry_for_plane(double shortest) const {
    double const beam = least_shift_ * path_factor(state_.angles.size() / 2);
    Window const x = state_.box.x;
    if (std::abs(beam - std::round(beam)) <= 0.01 * beam || !columns_.uniform(x.low, x.high))
        return 0;
    auto const carry = [&](double rows) {
        double const carried = state_.rows.carried + rows;
        return carried - std::floor(carried) - state_.rows.carried;
    };
    // Directions with shorter ways would have to go up.
    double const of_beam = carry(beam);
    return of_beam <= least_shift_ * shortest ? of_beam : carry(least_shift_ * shortest);
}

template <class Real>
Cut Flight<Real>::cut_for_plane() {
    RangeRows const& rows = state_.rows;
    auto const [shortest, longest] = paths();
    auto const [least, most] = columns_.shifts(bend_, state_.box.row, state_.box.x);
    Cut cut;
    least_shift_ = least;
    most_shift_ = most;
    // Enough rows for all directions; each has its own part of it.
    cut.carried = carry_for_plane(shortest);
    cut.whole = static_cast<index>(std::floor(least * shortest - cut.carried + 1e-9));
    cut.dropped = cut.whole;
    double const rest = most * longest - cut.carried - static_cast<double>(cut.whole);
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
    cut.whole = static_cast<index>(std::floor(least_shift_ * path - cut.carried + 1e-9));
    double const rest = most_shift_ * path - cut.carried - static_cast<double>(cut.whole);
    cut.slowing = std::max(1, static_cast<int>(std::ceil(rest - 1e-9)));
    return cut;
}

template <class Real>
Status Flight<Real>::over(index plane, double out_of_plane, MarchResult& result) {
    longer_ = 1 + (options_.out_of_plane && options_.scattering ? out_of_plane / 2 : 0);
    std::fill(columns_.nuclear_energy().begin(), columns_.nuclear_energy().end(), 0.0);
    return state_.box.row.empty() ? Status() : fly(plane, result);
}

// By doubles: a plane of air takes 1e-6 of a proton's energy, as little as a float can tell apart.
template <class Real>
void Flight<Real>::energies_after(index dropped, Crossing<Real>& how) const {
    auto const& after = after_.energy;
    how.after.assign(after.begin(), after.end());
    for (index i = 0; i < state_.rows.size(); ++i)
        how.drop.push_back(
            static_cast<Real>(state_.energy_of(i) -
                              (i < dropped ? 0 : after[static_cast<std::size_t>(i - dropped)])));
}

template <class Real>
Status Flight<Real>::fly(index plane, MarchResult& result) {
    Box& box = state_.box;
    std::vector<Way> ways;
    for (index j = box.angle.low; j < box.angle.high; ++j)
        ways.push_back({shift_of(j), path_factor(j), {}});
    // First, for columns that are drifted into count, and those farther away do not.
    state_.widen(ways);
    Cut const cut = cut_for_plane();
    for (index j = box.angle.low; j < box.angle.high; ++j)
        ways[static_cast<std::size_t>(j - box.angle.low)].cut = cut_for_angle(cut, j);
    Window& row = box.row;
    index const falls = cut.straggling * std::max<index>(1, state_.rows.fall);
    row.low = std::max<index>(0, row.low - cut.whole - cut.slowing - falls);
    row.high = std::min(state_.rows.size(), row.high + std::max(1, cut.straggling));
    // On the average a step leaves its energy half way.
    double const back = options_.splitting == Splitting::strang ? 0.5 : 0;
    Crossing<Real> how{state_.columns(), std::move(ways), columns_.kernel(), back, {}, {}};
    bool const carries = cut.carried != 0;
    if (carries) carry_rows(after_, state_.still, physics_, state_.rows.carried + cut.carried);
    energies_after(cut.whole, how);
    SLUICE_TRY(Flown const flown, state_.cells->fly(box, how, state_.angle_sums));
    result.cells += row.size() * box.angle.size() * state_.columns();
    count(plane, flown, result);
    if (carries) {
        state_.rows = after_;
        bend_.assign(after_.bend.begin(), after_.bend.end());
        SLUICE_CHECK(state_.cells->set_rows(after_));
    }
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
