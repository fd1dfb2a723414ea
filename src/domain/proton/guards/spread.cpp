// How wide a beam has become, beside Fermi and Eyges, and how far its ranges have spread.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/guards/spread.h"

#include <cmath>

#include "domain/proton/guards/way.h"

namespace sluice::proton::guards {
namespace {

constexpr double inside = 4;  // standard deviations

bool same_beside(Phantom const& p, Beam const& beam, double sigma, index k) {
    std::uint16_t const middle = material_at(p, beam, 0, k);
    for (double const part : {-inside, -2.0, 2.0, inside})
        if (material_at(p, beam, part * sigma, k) != middle) return false;
    return true;
}

bool within(Phantom const& p, double x, double sigma) {
    return x - inside * sigma > p.x0 && x + inside * sigma < p.x0 + p.width();
}

void take_worst(BesideTheory& worst, double found, double wanted, double depth) {
    double const off = std::sqrt(found / wanted) - 1;
    if (std::abs(off) > std::abs(worst.part)) worst = {off, depth};
}

}  // namespace

void beside_theory(Physics const& physics, Phantom const& p, Beam const& beam, MarchResult& r,
                   bool straggling) {
    std::vector<Crossing> const way = along(physics, p, beam, 0);
    auto const last = static_cast<std::size_t>(0.92 * static_cast<double>(way.size()));
    double angles = beam.divergence * beam.divergence;
    double ranges = std::pow(beam.energy_spread / physics.stopping_power(beam.energy), 2);
    Beam turned = beam;  // what directions do alone
    turned.sigma_x = turned.covariance = 0;
    double const whole = physics.range(beam.energy);
    double used = 0;  // mm of water
    for (std::size_t k = 0; k < last && k < r.sums.size(); ++k) {
        // At the face before the plane.
        double const z = p.dz * static_cast<double>(k), sigma = sigma_at(beam, way, z);
        double const x = beam.x + z * std::tan(beam.angle);
        if (!within(p, x, sigma) || !same_beside(p, beam, sigma, static_cast<index>(k))) break;
        PlaneSums const& s = r.sums[k];
        // Where a beam has hardly begun to spread, steps of columns and angles are all it has.
        if (sigma > p.dx) take_worst(r.place_off, s.place_variance, sigma * sigma, z);
        if (k > 0 && angles > 1e-6) take_worst(r.angle_off, s.angle_variance, angles, z);
        // On oblique ways, and on those that part, protons reach a face over different lengths.
        double const by_way = z > 0 ? used * std::cos(beam.angle) / z : 0;
        double const aside = std::sin(beam.angle) * sigma_at(turned, way, z);
        double const bent = z / std::cos(beam.angle) * beam.divergence * beam.divergence;
        double const wanted = ranges + by_way * by_way * (aside * aside + bent * bent / 2);
        // A plane is the least that rows tell apart, and who has stopped is not among them.
        if (ranges > p.dz * p.dz && whole - used > 3 * std::sqrt(wanted))
            take_worst(r.range_off, s.range_variance, wanted, z);
        used += way[k].water;
        angles += way[k].scattering;
        if (straggling) ranges += way[k].straggling;
    }
}

}  // namespace sluice::proton::guards
