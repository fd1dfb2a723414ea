// Tissues of any density, for images that give only densities.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/physics/tissue.h"

#include <array>
#include <cmath>

namespace sluice::proton {
namespace {

// Lung is the same tissue with more or less air: up to where fat begins it only gets denser.
std::array<Material, 6> const& neighbours() {
    static std::array<Material, 6> const all = {*material("air"),       *material("lung"),
                                                *material("lung", 0.9), *material("adipose"),
                                                *material("muscle"),    *material("cortical_bone")};
    return all;
}

Material scaled(Material m, double density) {
    double const k = density / m.density;
    m.density = density;
    m.electron_density *= k;
    m.scattering *= k;
    m.nuclear *= k;
    return m;
}

Material of_density(double density) {
    auto const& all = neighbours();
    if (density <= all.front().density) return scaled(all.front(), density);
    for (std::size_t i = 1; i < all.size(); ++i)
        if (Material const& a = all[i - 1], &b = all[i]; density <= b.density) {
            Material m = mixed(a, b, (density - a.density) / (b.density - a.density), 0);
            m.density = density;
            return m;
        }
    return scaled(all.back(), density);
}

}  // namespace

Material mixed(Material const& a, Material const& b, double part, double water) {
    auto const mix = [part](double x, double y) { return x + part * (y - x); };
    auto const own = [water](Material const& m) {
        return m.excitation_energy > 0 ? m.excitation_energy : water;
    };
    Material m;
    m.density = mix(a.density, b.density);
    m.electron_density = mix(a.electron_density, b.electron_density);
    // Bragg's rule: the logarithm of I is a mean over the electrons.
    if (m.electron_density > 0)
        m.excitation_energy = std::exp(
            mix(a.electron_density * std::log(own(a)), b.electron_density * std::log(own(b))) /
            m.electron_density);
    m.scattering = mix(a.scattering, b.scattering);
    m.nuclear = mix(a.nuclear, b.nuclear);
    return m;
}

Material tissue(Physics const& physics, std::string name, double density,
                std::optional<double> stopping) {
    Material m = of_density(density);
    m.name = std::move(name);
    if (!stopping) return m;
    double const own = physics.relative_stopping_power(m, image_energy);
    if (own > 0) {
        m.electron_density *= *stopping / own;
    } else {
        m.excitation_energy = 0;
        m.electron_density = *stopping;
    }
    return m;
}

double tissue_density(Physics const& physics, double stopping) {
    double low = 0, high = 100;
    for (int i = 0; i < 60; ++i) {
        double const middle = (low + high) / 2;
        bool const less =
            physics.relative_stopping_power(of_density(middle), image_energy) < stopping;
        (less ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace sluice::proton
