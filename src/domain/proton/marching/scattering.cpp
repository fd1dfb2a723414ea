// Multiple scattering at the face between two planes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/scattering.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton::marching {

template <class Real>
Scattering<Real>::Scattering(State<Real>& state, PlaneColumns<Real> const& columns,
                             Beam const& beam)
    : state_(state),
      columns_(columns),
      path_(1 / std::cos(beam.angle)),
      per_place_(2 * state.angles.step * state.angles.step),
      out_of_plane_(beam.divergence * beam.divergence) {}

// In as many passes as each part needs to stay below 0.4.
template <class Real>
Diffusion Scattering<Real>::diffusion(double before, double behind) {
    auto const rows = static_cast<std::size_t>(state_.rows.size());
    Diffusion d{std::vector<int>(rows), std::vector<double>(rows),
                columns_.scattering(false, before, behind),
                columns_.scattering(true, before, behind), state_.rows.young};
    double const most = std::max(*std::max_element(d.relative.begin(), d.relative.end()),
                                 *std::max_element(d.gas.begin(), d.gas.end()));
    int widest = 0;
    for (index i = state_.box.row.low; i < state_.box.row.high; ++i) {
        auto const k = static_cast<std::size_t>(i);
        int const passes = static_cast<int>(std::ceil(part_of(i) * most / 0.4));
        d.passes[k] = passes;
        d.part[k] = part_of(i) / std::max(passes, 1);
        widest = std::max(widest, passes);
    }
    Window& angle = state_.box.angle;
    angle.low = std::max<index>(0, angle.low - widest);
    angle.high = std::min(state_.angles.size(), angle.high + widest);
    return d;
}

template <class Real>
Status Scattering<Real>::at_face(double before, double behind, Ledger& ledger) {
    Diffusion const how = diffusion(before, behind);
    SLUICE_TRY(Scattered const s, state_.cells->scatter(state_.box, how, state_.row_sums));
    state_.lose(s.given_up, ledger.truncated);
    for (index i = state_.box.row.low; i < state_.box.row.high; ++i) {
        Leak const& leak = s.leaks[static_cast<std::size_t>(i - state_.box.row.low)];
        double const w = (leak.low + leak.high) * state_.unit;
        ledger.angles += {w, w * state_.energy_of(i)};
    }
    follow_variances(before, behind);
    return {};
}

template <class Real>
void Scattering<Real>::follow_variances(double before, double behind) {
    Window const rows = state_.box.row, x = state_.box.x;
    double sum = 0;
    double const all = state_.share().weight;
    for (index i = rows.low; i < rows.high; ++i)
        sum += state_.weight_of_row(i) * state_.rows.scatter[static_cast<std::size_t>(i)];
    auto const added = [&](double front, double back) {
        return all > 0 ? sum / all * path_ *
                             columns_.mean_scattering(state_.row_sums, state_.rows.young, rows.low,
                                                      rows.high, x.low, x.high, front, back)
                       : 0.0;
    };
    before_face_ = added(before, 0);
    out_of_plane_ += added(before, behind);
}

template class Scattering<float>;
template class Scattering<double>;

}  // namespace sluice::proton::marching
