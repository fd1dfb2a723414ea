// FastPath::line: a pattern's loss when object and probe move along a line.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/fast_line.h"

#include "domain/ptychography/step/fast_path.h"
#include "domain/ptychography/step/moves.h"

namespace sluice::ptycho {

// The wave of mode k is a + b t + c t^2 + ... in each plane: into the tiles, behind the object.
void FastPath::enter_line(Ends const& ends, WindowPlace const& place, Window probe, Window way,
                          float const* ramp, LineRoom& room) const {
    Window waves[3] = {probe, way, {}};
    for (index s = 0; s < model_.slices; ++s) {
        auto const at = static_cast<std::size_t>(s);
        Window const object = window(ends.state.object[at], place.row, place.col);
        Window const along = window(ends.way.object[at], place.row, place.col);
        float const* const here = s + 1 == model_.slices ? ramp : nullptr;
        kernel_.enter(roots_, room.tile(0), object, waves[0], here);
        line_kernel_.enter_two(roots_, room.tile(1), {object, along}, {waves[1], waves[0]}, here);
        if (s == 0)
            kernel_.enter(roots_, room.tile(2), along, waves[1], here);
        else
            line_kernel_.enter_two(roots_, room.tile(2), {object, along}, {waves[2], waves[1]},
                                   here);
        for (index i = 0; i < 3 && s + 1 < model_.slices; ++i) {
            slice_kernel_.propagate(roots_, room.tile(i), tables_.propagator(), nullptr);
            line_kernel_.leave(roots_, room.tile(i), room.wave(i));
            waves[i] = {room.wave(i), room.side};
        }
    }
}

Line FastPath::line(Ends const& ends, index j, LineRoom& room) const {
    WindowPlace const place = place_of_pattern(ends.state, j);
    if (is_moved(place)) set_factors(model_.window, place, 1, room.factors);
    auto const shift = ends.state.descan.empty() ? stem4d::Position{}
                                                 : ends.state.descan[static_cast<std::size_t>(j)];
    bool const shifted = shift.row != 0 || shift.col != 0;
    if (shifted) set_ramp(model_.window, shift, room.ramp);
    for (index k = 0; k < std::ssize(ends.state.probe); ++k) {
        auto const at = static_cast<std::size_t>(k);
        auto const stands = [&](Planar<float> const& probe, Spectra const& spectra, index i) {
            if (!is_moved(place)) return window(probe);
            kernel_.moved(roots_, room.tile(0), spectra[at].re(0), room.factors.data(),
                          room.probe(i));
            return Window{room.probe(i), room.side};
        };
        Window const probe = stands(ends.state.probe[at], ends.spectra, 0);
        Window const way = stands(ends.way.probe[at], ends.way_spectra, 1);
        enter_line(ends, place, probe, way, shifted ? room.ramp.data() : nullptr, room);
        kernel_.to_detector(roots_, room.tile(0), k == 0, room.power(0));
        kernel_.to_detector(roots_, room.tile(1), k == 0, room.power(2));
        line_kernel_.meet(roots_, {room.tile(0), room.tile(1), room.tile(2)}, k == 0, room.power(1),
                          room.power(2));
    }
    if (!ends.state.background.empty()) add_background(ends.state, room.power(0));
    LineSums const sums =
        line_kernel_.sum({room.power(0), room.power(1), room.power(2)}, pixels_of(j, {}));
    return {sums.slope, sums.curvature};
}

}  // namespace sluice::ptycho
