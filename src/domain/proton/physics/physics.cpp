// Stopping, scattering, straggling and loss of protons.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "domain/proton/physics/constants.h"
#include "domain/proton/physics/water_tables.h"

namespace sluice::proton {
namespace {

// Gottschalk's scattering length of water, mm.
constexpr double water_scattering_length = 468.8;
// Z/A of water; mol/g.
constexpr double water_electrons = 0.55508;

// p + 16O, non-elastic (ENDF/B): MeV, barn. Below the first a power law would be wrong: it falls to
// nothing at the Coulomb barrier, where protons have less than 0.7 mm to go.
constexpr Point oxygen[] = {{7, 0.208},  {10, 0.425}, {15, 0.518}, {20, 0.535},  {23, 0.537},
                            {27, 0.523}, {30, 0.501}, {40, 0.449}, {50, 0.401},  {60, 0.362},
                            {70, 0.333}, {80, 0.313}, {90, 0.302}, {100, 0.297}, {110, 0.295}};

// p + 16O, elastic, of ICRU 63: what the nuclear force does, drawn on from 10 degrees to straight
// ahead (bench/proton/icru63.py). Below 40 MeV, where that is not to be told from Coulomb's force,
// drawn on to what n + 16O does at 10 MeV.
constexpr Point oxygen_elastic[] = {{10, 1.0},    {20, 0.95},   {30, 0.90},   {40, 0.71},
                                    {50, 0.545},  {60, 0.425},  {70, 0.39},   {80, 0.33},
                                    {90, 0.275},  {100, 0.237}, {110, 0.205}, {120, 0.178},
                                    {130, 0.156}, {140, 0.138}, {150, 0.124}, {160, 0.112},
                                    {180, 0.096}, {200, 0.088}, {250, 0.080}};
// And 1 / <|t|> of these collisions, 1/GeV2.
constexpr Point oxygen_slope[] = {{1, 87},   {40, 87},  {50, 82},  {60, 78},  {70, 77},
                                  {80, 78},  {100, 80}, {130, 82}, {150, 84}, {160, 85},
                                  {180, 88}, {200, 93}, {220, 98}, {250, 105}};
// p + p, elastic, half of the sphere (the two cannot be told apart).
constexpr Point hydrogen[] = {{5, 0.7},    {10, 0.35},   {20, 0.155},  {30, 0.098},  {50, 0.060},
                              {70, 0.044}, {100, 0.033}, {150, 0.026}, {200, 0.024}, {250, 0.023}};

double between(std::span<Point const> table, double x) {
    if (x < table.front().x) return 0;
    if (x >= table.back().x) return table.back().y;
    auto const b = std::upper_bound(table.begin(), table.end(), x,
                                    [](double v, Point const& p) { return v < p.x; });
    Point const p = *(b - 1), q = *b;
    return p.y + (q.y - p.y) * (x - p.x) / (q.x - p.x);
}

// Of water, times barn.
constexpr double oxygen_per_mm3 = 3.3428e19, hydrogen_per_mm3 = 6.6856e19, mm2_per_barn = 1e-22;

// The bracket of Bethe's formula, without corrections.
double stopping_number(double excitation_ev, double energy) {
    double const b2 = beta_squared(energy);
    return std::log(2 * electron_mass * 1e6 * b2 / (1 - b2) / excitation_ev) - b2;
}

// exp(-b |t|), diffraction by oxygen: the mean of |t| is 1/b, but no more than a part of what there
// can be.
double mean_transfer(double energy) {
    return std::min(1e6 / between(oxygen_slope, std::max(energy, oxygen_slope[0].x)),
                    energy * (energy + 2 * proton_mass) / 2);
}

}  // namespace

double mean_excitation_energy(WaterTable table) {
    return table == WaterTable::pstar ? 75 : 78;
}

struct Physics::Tables {
    LogSpline stopping;       // MeV/mm of MeV
    LogSpline range, energy;  // mm of MeV and back
    LogSpline integral;       // MeV mm of mm
};

Physics::Physics(WaterTable table) : table_(table), tables_(std::make_unique<Tables>()) {
    std::vector<Point> s;
    // A density of 1 g/cm3.
    for (Point const& p : water_table(table)) s.push_back({p.x, p.y / 10});
    Tables& t = *tables_;
    t.stopping = LogSpline(s);
    // Below the first point the range is 2 E / S, as where S grows like the velocity.
    constexpr double first = 0.001, last = 300;
    constexpr int knots = 600, between_knots = 16;
    std::vector<Point> range, energy, integral;
    double e = first, r = 2 * e / t.stopping(e), sum = r * e * 2 / 3;
    double const step = std::log(last / first) / (knots * between_knots);
    for (int i = 0; i <= knots * between_knots; ++i) {
        if (i % between_knots == 0) {
            range.push_back({e, r});
            energy.push_back({r, e});
            integral.push_back({r, sum});
        }
        // Simpson's rule in the logarithm of the energy.
        double const mid = e * std::exp(step / 2), end = e * std::exp(step);
        double const a = e / t.stopping(e), b = mid / t.stopping(mid), c = end / t.stopping(end);
        r += step / 6 * (a + 4 * b + c);
        sum += step / 6 * (a * e + 4 * b * mid + c * end);
        e = end;
    }
    t.range = LogSpline(range);
    t.energy = LogSpline(energy);
    t.integral = LogSpline(integral);
}

Physics::~Physics() = default;
Physics::Physics(Physics&&) noexcept = default;

double Physics::stopping_power(double energy) const {
    return tables_->stopping(energy);
}
double Physics::range(double energy) const {
    return energy > 0 ? tables_->range(energy) : 0;
}
double Physics::energy(double range) const {
    return range > 0 ? tables_->energy(range) : 0;
}
double Physics::energy_integral(double range) const {
    return range > 0 ? tables_->integral(range) : 0;
}

double Physics::relative_stopping_power(Material const& m, double energy) const {
    double const water = mean_excitation_energy(table_);
    double const own = m.excitation_energy > 0 ? m.excitation_energy : water;
    // Without shell corrections the formula means nothing below; the ratio hardly changes there.
    double const e = std::max(energy, 2.0);
    return m.electron_density * stopping_number(own, e) / stopping_number(water, e);
}

double Physics::scattering_power(Material const& m, double energy) const {
    double const a = 15.0 / momentum_velocity(energy);
    return m.scattering * a * a / water_scattering_length;
}

double Physics::straggling(Material const& m, double energy) const {
    double const b2 = beta_squared(energy);
    constexpr double per_mm = 1e-3;  // g/mm3
    constexpr double bohr = 4 * std::numbers::pi * avogadro * electron_radius * electron_radius *
                            electron_mass * electron_mass * per_mm * water_electrons;
    return m.electron_density * bohr * (1 - b2 / 2) / (1 - b2);
}

// Energies T of electrons are spread as (1 - beta^2 T / T_max) / T^2, so that T_max^2 / 2 times
// (1 - 2/3 beta^2) stands where the variance has T_max times (1 - beta^2 / 2).
double Physics::straggling_third(Material const& m, double energy) const {
    double const b2 = beta_squared(energy), most = 2 * electron_mass * b2 / (1 - b2);
    return straggling(m, energy) * most / 2 * (1 - 2 * b2 / 3) / (1 - b2 / 2);
}

double Physics::nuclear_cross_section(Material const& m, double energy) const {
    return m.nuclear * oxygen_per_mm3 * mm2_per_barn * between(oxygen, energy);
}

double Physics::hydrogen_cross_section(Material const& m, double energy) const {
    return m.nuclear * hydrogen_per_mm3 * mm2_per_barn * between(hydrogen, energy);
}

double Physics::elastic_cross_section(Material const& m, double energy) const {
    return m.nuclear * oxygen_per_mm3 * mm2_per_barn * between(oxygen_elastic, energy);
}

double Physics::elastic_angle(double energy) const {
    return std::sqrt(mean_transfer(energy) / (2 * energy * (energy + 2 * proton_mass)));
}

double Physics::elastic_recoil(double energy) const {
    constexpr double oxygen_mass = 14895;  // MeV
    return mean_transfer(energy) / (2 * oxygen_mass);
}

}  // namespace sluice::proton
