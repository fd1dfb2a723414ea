// From one face to the next: drift, nuclear loss, straggling and slowing down.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/flight.h"

#include <algorithm>
#include <cmath>

#include "device/workers.h"

namespace sluice::proton::marching {

template <class Real>
Flight<Real>::Flight(State<Real>& state, PlaneColumns<Real>& columns, Phantom const& phantom,
                     MarchOptions const& options, int threads)
    : state_(state),
      columns_(columns),
      phantom_(phantom),
      options_(options),
      kernels_(kernels_of<Real>(options.device)),
      deposits_(kernels_of<double>(options.device)),
      threads_(threads),
      energy_(state.rows.energy.begin(), state.rows.energy.end()),
      bend_(state.rows.bend.begin(), state.rows.bend.end()),
      up_(state.rows.up.begin(), state.rows.up.end()),
      down_(state.rows.down.begin(), state.rows.down.end()),
      loss_(state.rows.loss.begin(), state.rows.loss.end()),
      pending_(static_cast<std::size_t>(phantom.columns)),
      rooms_(static_cast<std::size_t>(threads)) {
    for (Fall<double> const& f : state.rows.falls) {
        Fall<Real>& to = falls_.emplace_back();
        for (int k = 0; k < 2; ++k) {
            to.rows[k] = f.rows[k];
            to.part[k] = static_cast<Real>(f.part[k]);
        }
    }
    auto const lines = static_cast<std::size_t>(state.angles.size() * state.stride);
    for (auto* v : {&deposit_, &stopped_, &nuclear_energy_, &nuclear_weight_, &collided_})
        v->resize(lines);
}

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
    for (index j = state_.angle.low; j < state_.angle.high; ++j) {
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
    auto const [least, most] = columns_.shifts(bend_, state_.row.low, state_.row.high);
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
void Flight<Real>::over(index plane, double out_of_plane, MarchResult& result) {
    longer_ = 1 + (options_.out_of_plane && options_.scattering ? out_of_plane / 2 : 0);
    if (plane % state_.rows.collide_every == 0) std::fill(pending_.begin(), pending_.end(), 0.0);
    std::fill(columns_.nuclear_energy().begin(), columns_.nuclear_energy().end(), 0.0);
    if (!state_.row.empty()) fly(plane, result);
    for (index x = 0; x < phantom_.columns; ++x)
        result.deposit[static_cast<std::size_t>(plane * phantom_.columns + x)] +=
            pending_[static_cast<std::size_t>(x)];
}

template <class Real>
void Flight<Real>::fly(index plane, MarchResult& result) {
    Cut const cut = cut_for_plane();
    bool const collide = options_.nuclear && plane % state_.rows.collide_every == 0;
    Window& row = state_.row;
    row.low = std::max<index>(0, row.low - cut.whole - cut.slowing - cut.straggling -
                                     (collide ? state_.rows.deepest_fall : 0));
    row.high = std::min(state_.rows.size(), row.high + std::max(1, cut.straggling));
    Window const angle = state_.angle;
    state_.widen(shift_of(angle.low), shift_of(angle.high - 1));
    std::vector<Beside> beside(static_cast<std::size_t>(angle.size()));
    parallel_for(angle.size(), threads_, 1, [&](index n, int worker) {
        auto& room = rooms_[static_cast<std::size_t>(worker)];
        auto const need = static_cast<std::size_t>((row.size() + 8) * state_.x.size());
        room.resize(std::max(room.size(), need));
        one_angle(angle.low + n, cut, collide, room.data(), beside[static_cast<std::size_t>(n)]);
    });
    result.cells += row.size() * angle.size() * state_.columns();
    collect(plane, beside, result);
    state_.narrow(result.ledger.truncated);
}

// Drift and slowing down of one direction.
template <class Real>
void Flight<Real>::one_angle(index j, Cut const& cut, bool collide, Real* room, Beside& out) {
    Window const row = state_.row, x = state_.x;
    index const n = row.size(), width = x.size();
    Real* const lines = room;
    Real* const scratch = lines + n * width;
    std::vector<Leak> leaks(static_cast<std::size_t>(n));
    kernels_.drift(state_.at(row.low, j) + x.low, state_.angles.size() * state_.stride, lines, n,
                   width, state_.columns(), shift_of(j), leaks.data(), scratch);
    for (index i = 0; i < n; ++i) {
        Leak const& leak = leaks[static_cast<std::size_t>(i)];
        double const e = state_.energy_of(row.low + i);
        out.left.weight += leak.low;
        out.left.energy += leak.low * e;
        out.right.weight += leak.high;
        out.right.energy += leak.high * e;
    }
    auto const begin = static_cast<std::size_t>(j * state_.stride + x.low);
    Tallies const tallies{deposit_.data() + begin, stopped_.data() + begin,
                          collided_.data() + begin, nuclear_energy_.data() + begin,
                          nuclear_weight_.data() + begin};
    for (double* const t : {tallies.deposit, tallies.stopped, tallies.collided,
                            tallies.nuclear_energy, tallies.nuclear_weight})
        std::fill_n(t, width, 0.0);
    Rows<Real> const water{energy_.data() + row.low, bend_.data() + row.low,
                           up_.data() + row.low,     down_.data() + row.low,
                           loss_.data() + row.low,   collide ? falls_.data() + row.low : nullptr};
    Columns<Real> const all = columns_.kernel();
    kernels_.slow(
        lines, n, width, static_cast<Real>(path_factor(j)), cut_for_angle(cut, j),
        {all.shift + x.low, all.bend + x.low, all.straggling + x.low, all.nuclear + x.low}, water,
        tallies, scratch);
    kernels_.store(lines, n, width, state_.at(row.low, j) + x.low,
                   state_.angles.size() * state_.stride, state_.angle_sums.data() + begin);
}

// In the order of the angles, whatever thread had them.
template <class Real>
void Flight<Real>::collect(index plane, std::vector<Beside> const& beside, MarchResult& result) {
    Ledger& l = result.ledger;
    Window const x = state_.x;
    index const columns = state_.columns();
    double const unit = state_.unit;
    // At the sides of the window, if those are not the phantom's, is next to nothing.
    Share& left = x.low == 0 ? l.left : l.truncated;
    Share& right = x.high == state_.stride ? l.right : l.truncated;
    double* const out = result.deposit.data() + plane * phantom_.columns + x.low;
    double* const nuclear = columns_.nuclear_energy().data() + x.low;
    // Collisions are done for several planes at once, which share what they leave.
    auto const shared =
        static_cast<double>(std::min<index>(state_.rows.collide_every, phantom_.planes - plane));
    std::vector<double> room(static_cast<std::size_t>(2 * state_.stride + 6));
    for (index j = state_.angle.low; j < state_.angle.high; ++j) {
        Beside const& b = beside[static_cast<std::size_t>(j - state_.angle.low)];
        left.weight += b.left.weight * unit;
        left.energy += b.left.energy * unit;
        right.weight += b.right.weight * unit;
        right.energy += b.right.energy * unit;
        index const begin = j * state_.stride + x.low;
        double* const line = deposit_.data() + begin;
        // What a step leaves, it leaves half way on the average.
        double const back = options_.splitting == Splitting::strang ? -shift_of(j) / 2 : 0;
        Leak lost;
        deposits_.drift(line, x.size(), line, 1, x.size(), columns, back, &lost, room.data());
        left.energy += lost.low * unit;
        right.energy += lost.high * unit;
        for (index k = 0; k < columns; ++k) {
            out[k] += line[k] * unit;
            nuclear[k] += nuclear_energy_[static_cast<std::size_t>(begin + k)] * unit;
            pending_[static_cast<std::size_t>(x.low + k)] +=
                collided_[static_cast<std::size_t>(begin + k)] * unit / shared;
        }
        l.stopped.energy += sum_of(collided_, begin, columns) * unit;
        l.stopped.energy += sum_of(deposit_, begin, columns) * unit;
        l.stopped.weight += sum_of(stopped_, begin, columns) * unit;
        l.nuclear.energy += sum_of(nuclear_energy_, begin, columns) * unit;
        l.nuclear.weight += sum_of(nuclear_weight_, begin, columns) * unit;
    }
}

template class Flight<float>;
template class Flight<double>;

}  // namespace sluice::proton::marching
