// Beams and grids that cannot be marched.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/check.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace sluice::proton::marching {

Status check(Physics const& physics, Phantom const& phantom, Beam const& beam,
             MarchOptions const& options) {
    auto const bad = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    if (!(beam.energy >= 1 && beam.energy <= 300))
        return bad(fmt::format("a beam of {} MeV; give 1 to 300", beam.energy));
    if (!(beam.energy_spread >= 0 && beam.energy_spread < beam.energy / 5))
        return bad(fmt::format("an energy spread of {} MeV; give less than a fifth of the energy",
                               beam.energy_spread));
    bool const finite =
        std::isfinite(beam.sigma_x) && std::isfinite(beam.divergence) && std::isfinite(beam.weight);
    if (!finite || beam.sigma_x < 0 || beam.divergence < 0 || beam.weight <= 0)
        return bad(
            "a beam's sigma_x and divergence must be numbers from 0 on, and its weight a number "
            "above 0");
    if (!(std::abs(beam.covariance) <= beam.sigma_x * beam.divergence * (1 + 1e-12)))
        return bad(fmt::format("a covariance of {} mm is more than sigma_x times divergence ({})",
                               beam.covariance, beam.sigma_x * beam.divergence));
    if (phantom.planes < 1 || phantom.columns < 3 || phantom.materials.empty())
        return bad("a phantom must have at least 1 plane, 3 columns and a material");
    for (Material const& m : phantom.materials)
        for (double const v :
             {m.density, m.electron_density, m.excitation_energy, m.scattering, m.nuclear})
            if (!(v >= 0 && v < 1e4))
                return bad(fmt::format("material '{}' has a property of {}", m.name, v));
    if (!(phantom.dz > 0 && phantom.dx > 0 && phantom.dz < 1e6 && phantom.dx < 1e6))
        return bad(fmt::format("steps of {} and {} mm; give more than 0", phantom.dz, phantom.dx));
    if (!phantom.map.empty()) {
        if (phantom.map.size() != static_cast<std::size_t>(phantom.planes * phantom.columns))
            return bad(fmt::format("a map of {} materials for {} x {} cells", phantom.map.size(),
                                   phantom.planes, phantom.columns));
        for (auto const m : phantom.map)
            if (m >= phantom.materials.size())
                return bad(fmt::format("material {} of {}", m, phantom.materials.size()));
    }
    if (!(options.angle_step > 0 && options.angle_window >= options.angle_step))
        return bad(
            "the window of angles must have at least one step, and the step must be above 0");
    // The window is whole steps.
    double const side = std::ceil(options.angle_window / options.angle_step - 1e-9);
    double const widest = std::abs(beam.angle) + side * options.angle_step;
    if (!(widest <= 75 * std::numbers::pi / 180))
        return bad(
            fmt::format("angles up to {:.0f} degrees cannot be marched along z (at most 75 can); "
                        "turn the phantom, or narrow the window",
                        widest * 180 / std::numbers::pi));
    double const right = phantom.x0 + phantom.width();
    if (!(beam.x >= phantom.x0 && beam.x < right))
        return bad(fmt::format("a beam at x = {} mm, beside the phantom ({} to {} mm)", beam.x,
                               phantom.x0, right));
    if (!options.profile.empty() && std::ssize(options.profile) != phantom.columns)
        return bad(fmt::format("a profile of {} columns for a phantom of {}",
                               options.profile.size(), phantom.columns));
    double parts = 0;
    for (double const part : options.profile) {
        if (!(part >= 0)) return bad(fmt::format("a profile with a part of {}", part));
        parts += part;
    }
    if (!(parts <= 1 + 1e-9)) return bad(fmt::format("a profile of {} in all; give 1", parts));
    if (!(options.range_step >= 0)) return bad("a range step below 0");
    if (!(options.threshold >= 0 && options.threshold < 1e-3))
        return bad(fmt::format("a threshold of {}; give less than 0.001", options.threshold));
    for (double const depth : options.spectra_at)
        if (!(depth >= 0 && depth <= phantom.depth()))
            return bad(fmt::format("a spectrum at {} mm; give depths of the phantom, 0 to {} mm",
                                   depth, phantom.depth()));
    double const step =
        options.range_step > 0 ? options.range_step : phantom.dz / std::cos(beam.angle);
    double const range = physics.range(beam.energy);
    if (range < 4 * step)
        return bad(fmt::format(
            "steps of {} mm for a range of {:.2f} mm; give at most a quarter of it", step, range));
    double const spread = 7 * beam.energy_spread / physics.stopping_power(beam.energy);
    double const cells = ((range + spread) / step + 64) *
                         (2 * options.angle_window / options.angle_step + 3) *
                         static_cast<double>(phantom.columns);
    // Some 16 bytes each.
    constexpr double most = 3e8;
    if (cells > most)
        return Error{
            Code::out_of_memory,
            fmt::format("a plane of {:.1g} cells of range, angle and x ({:.0g} at most); use "
                        "larger steps, or fewer columns",
                        cells, most)};
    return {};
}

}  // namespace sluice::proton::marching
