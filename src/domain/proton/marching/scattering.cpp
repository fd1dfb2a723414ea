// Multiple scattering at the face between two planes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/scattering.h"

#include <algorithm>
#include <cmath>

#include "device/workers.h"

namespace sluice::proton::marching {

template <class Real>
Scattering<Real>::Scattering(State<Real>& state, PlaneColumns<Real> const& columns,
                             Beam const& beam, Kernels<Real> const& kernels, int threads)
    : state_(state),
      columns_(columns),
      kernels_(kernels),
      threads_(threads),
      path_(1 / std::cos(beam.angle)),
      per_place_(2 * state.angles.step * state.angles.step),
      passes_(static_cast<std::size_t>(state.rows.size())),
      rooms_(static_cast<std::size_t>(threads)),
      out_of_plane_(beam.divergence * beam.divergence) {
    for (auto& room : rooms_) room.resize(static_cast<std::size_t>(2 * state.stride));
}

// As many as each part needs to stay below 0.4.
template <class Real>
void Scattering<Real>::count_passes(double most) {
    int widest = 0;
    for (index i = state_.row.low; i < state_.row.high; ++i) {
        auto const k = static_cast<std::size_t>(i);
        passes_[k] = static_cast<int>(std::ceil(part_of(i) * most / 0.4));
        widest = std::max(widest, passes_[k]);
    }
    state_.angle.low = std::max<index>(0, state_.angle.low - widest);
    state_.angle.high = std::min(state_.angles.size(), state_.angle.high + widest);
}

template <class Real>
void Scattering<Real>::at_face(double before, double behind, Share& out) {
    std::vector<double> const part = columns_.scattering(before, behind);
    count_passes(*std::max_element(part.begin(), part.end()));
    Window const rows = state_.row, x = state_.x;
    std::vector<Leak> leaks(static_cast<std::size_t>(rows.size()));
    Sheet<Real> const window = state_.sheet();
    parallel_for(rows.size(), threads_, 1, [&](index n, int worker) {
        index const i = rows.low + n;
        auto& room = rooms_[static_cast<std::size_t>(worker)];
        Real* const p = room.data() + state_.stride;
        int const passes = passes_[static_cast<std::size_t>(i)];
        double const share = part_of(i) / std::max(passes, 1);
        for (index k = 0; k < x.size(); ++k)
            p[k] = static_cast<Real>(share * part[static_cast<std::size_t>(x.low + k)]);
        kernels_.scatter(window, i, p, passes, state_.row_sums.data() + i * state_.stride + x.low,
                         leaks[static_cast<std::size_t>(n)], room.data());
    });
    for (index i = rows.low; i < rows.high; ++i) {
        Leak const& leak = leaks[static_cast<std::size_t>(i - rows.low)];
        double const w = (leak.low + leak.high) * state_.unit;
        out.weight += w;
        out.energy += w * state_.energy_of(i);
    }
    follow_variances(before, behind);
}

template <class Real>
void Scattering<Real>::follow_variances(double before, double behind) {
    Window const rows = state_.row, x = state_.x;
    double sum = 0;
    double const all = state_.share().weight;
    for (index i = rows.low; i < rows.high; ++i)
        sum += state_.weight_of_row(i) * state_.rows.scatter[static_cast<std::size_t>(i)];
    auto const added = [&](double front, double back) {
        return all > 0 ? sum / all * path_ *
                             columns_.mean_scattering(state_.row_sums, rows.low, rows.high, x.low,
                                                      x.high, front, back)
                       : 0.0;
    };
    before_face_ = added(before, 0);
    out_of_plane_ += added(before, behind);
}

template class Scattering<float>;
template class Scattering<double>;

}  // namespace sluice::proton::marching
