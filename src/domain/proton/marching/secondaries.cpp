// Where the energy of nuclear reactions goes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/secondaries.h"

#include <cmath>
#include <numeric>

namespace sluice::proton::marching {
namespace {

// Parts of a reaction's energy. What stays is that of nuclei as ICRU 63 has it.
constexpr double local_part = 0.06;
// Those of protons at 150 MeV, and lengths as parts of the beam's range: these four were fitted to
// TOPAS' depth doses of 47, 96, 133, 164, 191 and 216 MeV.
constexpr double fast_part = 0.438, fast_length = 0.397, slow_part = 0.12, slow_length = 0.013;
// How they change with the beam's energy, as powers of it: fast ones as in ICRU 63 what all protons
// and deuterons have (0.48 at 70 MeV, 0.57 at 200), slow ones as those below 20 MeV (0.12 at 50
// MeV, 0.05 at 200). Only these powers are ICRU 63's: both together have 0.58 at 70 MeV, 0.56 at
// 200.
constexpr double fast_grows = 0.165, slow_grows = -0.63;

double power(double energy, double exponent) {
    constexpr double of_parts = 150, least = 20;  // MeV
    return std::pow(std::max(energy, least) / of_parts, exponent);
}

// LET by dose of fast ones, in that of the beam where they are: they have a part of its energy.
// That of slow ones, keV/um, hardly asks for the beam's energy. Fitted to what secondary protons
// add in a spread-out peak of 84 to 150 MeV by SHIELD-HIT12A and FLUKA.
constexpr double fast_let = 4.3, slow_let = 6.0;

}  // namespace

Secondaries::Secondaries(Phantom const& phantom, double angle, bool elastic)
    : phantom_(phantom),
      elastic_(elastic),
      along_(std::cos(angle)),
      fast_(phantom, angle, fast_length),
      left_(static_cast<std::size_t>(phantom.columns)),
      left_let_(left_),
      nuclei_(left_),
      of_fast_(left_),
      of_slow_(left_),
      path_(left_),
      stopping_(left_) {
    slow_ = {std::tan(angle), 0, left_};
}

// By whole columns, as fast ones do.
void Secondaries::drift_slow(index plane, Ledger& ledger) {
    double const way = static_cast<double>(plane) * phantom_.dz * slow_.slope;
    auto const wanted = static_cast<index>(std::lround(way / phantom_.dx));
    if (wanted == slow_.gone) return;
    std::vector<double> next(slow_.flying.size());
    for (index x = 0; x < phantom_.columns; ++x) {
        index const to = x + wanted - slow_.gone;
        double const energy = slow_.flying[static_cast<std::size_t>(x)];
        if (to < 0)
            ledger.left.energy += energy;
        else if (to >= phantom_.columns)
            ledger.right.energy += energy;
        else
            next[static_cast<std::size_t>(to)] = energy;
    }
    slow_.flying.swap(next);
    slow_.gone = wanted;
}

// Those made on the way through a plane have half of it before them.
double Secondaries::leave_slow(std::size_t column) {
    double const made = of_slow_[column], path = path_[column] / slow_length;
    double const here =
        slow_.flying[column] * (1 - std::exp(-path)) + made * (1 - std::exp(-path / 2));
    slow_.flying[column] += made - here;
    return here;
}

// What elastic collisions and those with hydrogen take is the halo's; the rest is of reactions.
void Secondaries::collide(index plane, std::vector<double> const& energy, Physics const& physics,
                          std::vector<double> const& beam, Halo& halo, MarchResult& result) {
    Material const water;
    double mean = 0, range = 0, stopping = 0, elastic = 0, by_hydrogen = 0, fast = 0, slow = 0;
    for (index x = 0; x < phantom_.columns; ++x) {
        auto const k = static_cast<std::size_t>(x);
        // Beside bone protons have less of their energy left in it.
        if (beam[k] != mean) {
            mean = beam[k];
            range = physics.range(mean);
            double const nuclei = elastic_ ? physics.elastic_cross_section(water, mean) : 0;
            double const hydrogen = physics.hydrogen_cross_section(water, mean);
            double const all = physics.nuclear_cross_section(water, mean) + nuclei + hydrogen;
            stopping = physics.stopping_power(mean);
            elastic = all > 0 ? nuclei / all : 0;
            by_hydrogen = all > 0 ? hydrogen / all : 0;
            fast = fast_part * power(mean, fast_grows);
            slow = slow_part * power(mean, slow_grows);
        }
        if (energy[k] > 0)
            halo.collide(plane, x, mean, energy[k] * elastic, energy[k] * by_hydrogen, result);
        // Their length is one along the beam, whatever their direction: so it was fitted.
        path_[k] = phantom_.dz * phantom_.at(plane, x).electron_density / (range * along_);
        nuclei_[k] = energy[k] * (1 - elastic - by_hydrogen);
        of_fast_[k] = fast * nuclei_[k];
        of_slow_[k] = slow * nuclei_[k];
        stopping_[k] = stopping;
    }
}

void Secondaries::step(index plane, std::vector<double> const& energy, Physics const& physics,
                       std::vector<double> const& beam, Halo& halo, MarchResult& result) {
    Ledger& ledger = result.ledger;
    fast_.drift(plane, ledger);
    drift_slow(plane, ledger);
    collide(plane, energy, physics, beam, halo, result);
    fast_.leave(of_fast_, path_);
    for (index x = 0; x < phantom_.columns; ++x) {
        auto const k = static_cast<std::size_t>(x);
        double const nuclei = nuclei_[k], fast = fast_.left()[k], slow = leave_slow(k);
        double const local = local_part * nuclei, fresh = of_fast_[k] + of_slow_[k];
        left_[k] = fast + slow;
        left_let_[k] = fast_let * stopping_[k] * fast + slow_let * slow;
        result.deposit[static_cast<std::size_t>(plane * phantom_.columns + x)] += left_[k] + local;
        ledger.local += local;
        ledger.secondary += left_[k];
        ledger.neutral += nuclei - local - fresh;
    }
}

double Secondaries::waiting() const {
    return std::accumulate(slow_.flying.begin(), slow_.flying.end(), fast_.waiting());
}

}  // namespace sluice::proton::marching
