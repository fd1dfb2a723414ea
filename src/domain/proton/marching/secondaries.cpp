// Where the energy of nuclear reactions goes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/secondaries.h"

#include <cmath>
#include <numeric>

namespace sluice::proton::marching {
namespace {

// Parts of a reaction's energy, and lengths as parts of the beam's range. What stays is that of
// nuclei as ICRU 63 has it; the other four were fitted to TOPAS' depth doses at 47, 133 and 191
// MeV.
constexpr double local_part = 0.06;
constexpr double fast_part = 0.43, fast_length = 0.385, slow_part = 0.12, slow_length = 0.018;
// LET by dose of fast ones, in that of the beam where they are: they have a part of its energy.
// That of slow ones, keV/um, hardly asks for the beam's energy. Fitted to what secondary protons
// add in a spread-out peak of 84 to 150 MeV by SHIELD-HIT12A and FLUKA.
constexpr double fast_let = 4.3, slow_let = 6.7;
// Standard deviation of the angles of fast ones, radians. Fitted to TOPAS' doses 20 to 40 mm beside
// the axis, 126 to 216 MeV. Slow ones end before their angles matter.
constexpr double own_angle = 0.32;
constexpr double steepest_angle = 1.3;

}  // namespace

Secondaries::Secondaries(Phantom const& phantom, double angle, bool elastic)
    : phantom_(phantom),
      elastic_(elastic),
      along_(std::cos(angle)),
      left_(static_cast<std::size_t>(phantom.columns)),
      left_let_(left_) {
    // So close that 150 mm behind a reaction their rows are nearer than its protons spread.
    double sum = 0;
    for (int k = -8; k <= 8; ++k) {
        double const node = 0.375 * k, part = std::exp(-node * node / 2);
        double const slope =
            std::tan(std::clamp(angle + node * own_angle, -steepest_angle, steepest_angle));
        fast_.push_back({slope, part, 0, left_});
        sum += part;
    }
    for (Ray& r : fast_) r.part *= fast_part / sum;
    slow_ = {std::tan(angle), slow_part, 0, left_};
}

// By whole columns, when it is time for one: parts of columns would spread them step by step.
void Secondaries::drift(Ray& ray, index plane, Ledger& ledger) const {
    double const way = static_cast<double>(plane) * phantom_.dz * ray.slope;
    auto const wanted = static_cast<index>(std::lround(way / phantom_.dx));
    if (wanted == ray.gone) return;
    std::vector<double> next(ray.flying.size());
    for (index x = 0; x < phantom_.columns; ++x) {
        index const to = x + wanted - ray.gone;
        double const energy = ray.flying[static_cast<std::size_t>(x)];
        if (to < 0)
            ledger.left.energy += energy;
        else if (to >= phantom_.columns)
            ledger.right.energy += energy;
        else
            next[static_cast<std::size_t>(to)] = energy;
    }
    ray.flying.swap(next);
    ray.gone = wanted;
}

// Those made on the way through a plane have half of it before them.
auto Secondaries::given(double path) -> Given {
    return {1 - std::exp(-path), 1 - std::exp(-path / 2)};
}

double Secondaries::leave(Ray& ray, std::size_t column, double energy, Given const& part) {
    double const made = energy * ray.part;
    double const here = ray.flying[column] * part.of_flying + made * part.of_made;
    ray.flying[column] += made - here;
    return here;
}

void Secondaries::step(index plane, std::vector<double> const& energy, Physics const& physics,
                       std::vector<double> const& beam, Halo& halo, MarchResult& result) {
    Ledger& ledger = result.ledger;
    for (Ray& r : fast_) drift(r, plane, ledger);
    drift(slow_, plane, ledger);
    Material const water;
    double mean = 0, range = 0, stopping = 0, elastic = 0, by_hydrogen = 0;
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
        }
        if (energy[k] > 0)
            halo.collide(plane, x, mean, energy[k] * elastic, energy[k] * by_hydrogen, result);
        // Their length is one along the beam, whatever their direction: so it was fitted.
        double const path = phantom_.dz * phantom_.at(plane, x).electron_density / (range * along_);
        double const nuclei = energy[k] * (1 - elastic - by_hydrogen);
        double const local = local_part * nuclei, fresh = (fast_part + slow_part) * nuclei;
        Given const of_fast = given(path / fast_length), of_slow = given(path / slow_length);
        double fast = 0;
        for (Ray& r : fast_) fast += leave(r, k, nuclei, of_fast);
        double const slow = leave(slow_, k, nuclei, of_slow);
        left_[k] = fast + slow;
        left_let_[k] = fast_let * stopping * fast + slow_let * slow;
        result.deposit[static_cast<std::size_t>(plane * phantom_.columns + x)] += left_[k] + local;
        ledger.local += local;
        ledger.secondary += left_[k];
        ledger.neutral += nuclei - local - fresh;
    }
}

double Secondaries::waiting() const {
    double sum = std::accumulate(slow_.flying.begin(), slow_.flying.end(), 0.0);
    for (Ray const& r : fast_) sum = std::accumulate(r.flying.begin(), r.flying.end(), sum);
    return sum;
}

}  // namespace sluice::proton::marching
