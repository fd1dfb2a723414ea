// Marching a beam from plane to plane.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/run.h"
#include "domain/proton/marching/check.h"
#include "domain/proton/marching/columns.h"
#include "domain/proton/marching/describe.h"
#include "domain/proton/marching/expected.h"
#include "domain/proton/marching/flight.h"
#include "domain/proton/marching/let.h"
#include "domain/proton/marching/scattering.h"
#include "domain/proton/marching/secondaries.h"

namespace sluice::proton {
namespace marching {
namespace {

MarchResult empty_result(Phantom const& p, bool let_map) {
    MarchResult r;
    r.planes = p.planes;
    r.columns = p.columns;
    r.dz = p.dz;
    r.dx = p.dx;
    r.x0 = p.x0;
    r.density = density_map(p);
    auto const cells = static_cast<std::size_t>(p.planes * p.columns);
    r.deposit.resize(cells);
    r.unexplained.resize(cells);
    if (let_map)
        for (auto* v : {&r.primary, &r.primary_let, &r.secondary, &r.secondary_let})
            v->resize(cells);
    return r;
}

template <class Real>
class March {
  public:
    March(Physics const& physics, Phantom const& phantom, Beam const& beam,
          MarchOptions const& options)
        : physics_(physics),
          phantom_(phantom),
          beam_(beam),
          options_(options),
          state_(physics, phantom, beam, options),
          columns_(physics, phantom, state_.rows.step, state_.stride),
          scattering_(state_, columns_, beam),
          flight_(physics, state_, columns_, phantom, options),
          let_(physics, phantom, state_.rows, options.let_map),
          expected_(physics, phantom, state_.rows, beam.angle),
          secondaries_(phantom, beam.angle),
          halo_(physics, phantom, beam, options.nuclear),
          result_(empty_result(phantom, options.let_map)) {}

    Result<MarchResult> run() {
        SLUICE_CHECK(begin());
        for (index plane = 0; plane < phantom_.planes; ++plane) {
            SLUICE_CHECK(tell_progress(options_.progress, static_cast<std::uint64_t>(plane),
                                       static_cast<std::uint64_t>(phantom_.planes)));
            columns_.choose(plane);
            SLUICE_CHECK(scatter(plane));
            SLUICE_CHECK(account(plane));
            look(plane);
            PlaneSums& sums = sum_before(plane);
            SLUICE_CHECK(fly(plane));
            score(plane, sums);
        }
        SLUICE_CHECK(end());
        return std::move(result_);
    }

  private:
    Physics const& physics_;
    Phantom const& phantom_;
    Beam const& beam_;
    MarchOptions const& options_;
    State<Real> state_;
    PlaneColumns<Real> columns_;
    Scattering<Real> scattering_;
    Flight<Real> flight_;
    Let<Real> let_;
    Expected<Real> expected_;
    Secondaries secondaries_;
    Halo halo_;
    MarchResult result_;

    std::vector<double> energies_;  ///< of the beam in each column

    // In one medium all columns are those of the plane.
    std::vector<double> const& beam_energies(double mean) {
        if (phantom_.map.empty())
            energies_.assign(static_cast<std::size_t>(phantom_.columns), mean);
        return energies_;
    }

    Status begin() {
        SLUICE_TRY(state_.cells,
                   make_cells<Real>(options_.device.with_threads(options_.threads),
                                    state_.angles.size(), state_.stride, state_.rows));
        auto const start =
            initial_state(phantom_, beam_, state_.rows, state_.angles, physics_, options_.profile);
        SLUICE_CHECK(state_.fill(start));
        SLUICE_CHECK(state_.add_up(result_.ledger.truncated));
        Share const inside = state_.share();
        Ledger& l = result_.ledger;
        l.in = {beam_.weight, inside.energy / inside.weight * beam_.weight};
        auto const part = [&](double p) {
            return Share{std::max(0.0, p) * l.in.weight, std::max(0.0, p) * l.in.energy};
        };
        double const in_rows = 1 - start.outside_rows, in_angles = 1 - start.outside_angles;
        l.truncated += part(start.outside_rows);
        l.angles += part(in_rows * start.outside_angles);
        // What of the rest begins beside the phantom.
        double const there = std::accumulate(start.lines.begin(), start.lines.end(), 0.0);
        Share& beside = beam_.x < phantom_.x0 + phantom_.width() / 2 ? l.left : l.right;
        beside = part(in_rows * (in_angles - there));
        return state_.narrow();
    }

    // At the face before a plane; the flight makes sums of its own.
    PlaneSums& sum_before(index plane) {
        Step const step(options_.trace, Phase::score, 0, plane);
        PlaneSums& sums =
            result_.sums.emplace_back(plane_sums(state_, phantom_, scattering_.before_face()));
        if (!phantom_.map.empty()) column_energies(state_, std::max(sums.energy, 1.0), energies_);
        let_.primaries(plane, state_);
        expected_.enter(plane, state_, sums);
        return sums;
    }

    Status fly(index plane) {
        Step const step(options_.trace, Phase::transport, 0, plane);
        halo_.fly(plane, result_);
        auto const row = result_.deposit.begin() + plane * phantom_.columns;
        std::vector<double> const before(row, row + phantom_.columns);
        SLUICE_CHECK(flight_.over(plane, scattering_.out_of_plane(), result_));
        expected_.compare(plane, before, result_);
        return {};
    }

    void score(index plane, PlaneSums& sums) {
        Step const step(options_.trace, Phase::score, 0, plane);
        secondaries_.step(plane, columns_.nuclear_energy(), physics_,
                          beam_energies(std::max(sums.energy, 1.0)), halo_, result_);
        let_.finish(plane, secondaries_, halo_, sums, result_);
        halo_.finish(plane, result_);
    }

    Status scatter(index plane) {
        Step const step(options_.trace, Phase::scatter, 0, plane);
        if (options_.splitting == Splitting::first_order)
            return scattering_.at_face(0, 1, result_.ledger);
        return scattering_.at_face(plane == 0 ? 0 : 0.5, 0.5, result_.ledger);
    }

    // At the face before a plane, when all of the one before is done.
    Status account(index plane) {
        SLUICE_CHECK(state_.narrow_rows(result_.ledger.truncated));
        Ledger now = result_.ledger;
        now.inside = state_.share();
        now.inside += halo_.primaries();
        now.secondary_out = secondaries_.waiting() + halo_.secondaries();
        Share const rest = now.residual();
        result_.worst_weight =
            std::max(result_.worst_weight, std::abs(rest.weight) / now.in.weight);
        result_.worst_energy =
            std::max(result_.worst_energy, std::abs(rest.energy) / now.in.energy);
        if (plane > 0) result_.steps.push_back(now);
        return {};
    }

    // Takes the spectra that were asked for next to this face.
    void look(index face) {
        for (double const depth : options_.spectra_at)
            if (std::lround(depth / phantom_.dz) == face)
                result_.spectra.push_back(
                    spectrum_of(state_, physics_, static_cast<double>(face) * phantom_.dz));
    }

    Status end() {
        SLUICE_CHECK(state_.add_up(result_.ledger.truncated));
        result_.ledger.end = state_.share();
        result_.ledger.end += halo_.primaries();
        result_.ledger.secondary_out = secondaries_.waiting() + halo_.secondaries();
        result_.steps.push_back(result_.ledger);
        look(phantom_.planes);
        exit_spread(state_, phantom_, result_);
        return {};
    }
};

}  // namespace
}  // namespace marching

Share Ledger::residual() const {
    Share r;
    r.weight = in.weight - nuclear.weight;
    r.energy = in.energy - local - secondary - neutral - secondary_out;
    for (Share const& s : {stopped, left, right, end, front, backward, angles, truncated, inside}) {
        r.weight -= s.weight;
        r.energy -= s.energy;
    }
    return r;
}

Result<MarchResult> march(Physics const& physics, Phantom const& phantom, Beam const& beam,
                          MarchOptions const& options) {
    SLUICE_CHECK(marching::check(physics, phantom, beam, options));
    if (options.precision == Precision::f64)
        return marching::March<double>(physics, phantom, beam, options).run();
    return marching::March<float>(physics, phantom, beam, options).run();
}

}  // namespace sluice::proton
