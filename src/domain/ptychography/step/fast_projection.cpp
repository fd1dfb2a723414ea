// FastPath::project: one update of the generalised projections through the kernels.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/ptychography/step/fast_path.h"
#include "domain/ptychography/step/moves.h"

namespace sluice::ptycho {

Errors FastPath::project(State<float> const& state, index j, Spectra const& spectra,
                         Projection const& projection, Room& room,
                         std::span<Planar<float>> waves) const {
    WindowPlace const place = place_of_pattern(state, j);
    Window const object = window(state.object.front(), place.row, place.col);
    if (is_moved(place)) set_factors(model_.window, place, 1, room.factors);
    for (index k = 0; k < room.modes; ++k) move_probe(state, j, place, k, spectra, room);
    Pixels pixels = pixels_of(j, {});
    pixels.likelihood = Likelihood::amplitude;

    // Alternating projections project the compared wave itself, so it is transformed once.
    bool const view_only = projection.c == 1;
    PixelSums const view =
        view_only ? PixelSums{}
                  : compare_view(state, place, object, pixels, waves.front().re(0), room);
    auto const c = static_cast<float>(projection.c);
    for (index k = 0; k < room.modes; ++k)
        project_kernel_.mix(roots_, room.tile(k), object, probe_at(state, place, k, room),
                            waves[static_cast<std::size_t>(k)].re(0), {1 - c, c});
    PixelSums const mixed = weigh_modes(pixels, room);

    Mixture const by = update_of(projection, static_cast<double>(mixed.amplitude));
    for (index k = 0; k < room.modes; ++k)
        project_kernel_.update(roots_, room.tile(k), object, probe_at(state, place, k, room),
                               waves[static_cast<std::size_t>(k)].re(0), by);
    return errors_of(view_only ? mixed : view, j);
}

// With x = (1-c) psi + c v, the measured moduli in x's spectrum give x - g, where g is the gradient
// of the amplitudes' loss. A bound leaves a part of what they change: M(x) = x - (1 - rest) g.
Mixture FastPath::update_of(Projection const& projection, double amplitude) const {
    auto const [a, b, c, bound] = projection;
    double const mean = amplitude / static_cast<double>(model_.window * model_.window);
    double const rest = mean <= bound ? 1 : std::sqrt(bound / mean);
    return {static_cast<float>(1 - a - b * c), static_cast<float>(a + b * c),
            static_cast<float>(-b * (1 - rest))};
}

// How far probe times object is from the counts.
PixelSums FastPath::compare_view(State<float> const& state, WindowPlace const& place, Window object,
                                 Pixels const& pixels, float const* next, Room& room) const {
    float *const tile = room.tile(0), *const intensity = room.intensity.re(0);
    for (index k = 0; k < room.modes; ++k) {
        kernel_.enter(roots_, tile, object, probe_at(state, place, k, room), nullptr);
        if (room.modes == 1) return project_kernel_.compare(roots_, tile, pixels, next);
        kernel_.to_detector(roots_, tile, k == 0, intensity);
    }
    return kernel_.weigh_sum(intensity, room.intensity.cols(), pixels);
}

}  // namespace sluice::ptycho
