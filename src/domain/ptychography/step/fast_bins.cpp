// FastPath::weigh_bins: a pattern whose pixels are not the numbers of the wave's spectrum.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "domain/ptychography/step/fast_path.h"

namespace sluice::ptycho {

// Counts lie row by row. They become floats in the room, filled up with pixels that are not valid.
Pixels FastPath::pixels_of_bins(index j, Wanted wanted, Room& room) const {
    with_pattern(measured_.patterns, j, [&](auto const* first) {
        std::copy(first, first + bins_.pixels(), room.counts.begin());
    });
    return {room.counts.data(), valid_.data(), model_.likelihood, wanted.slopes,
            static_cast<float>(model_.count)};
}

// Through memory: intensities of all modes, pixels, the background on them, and all the way back.
PixelSums FastPath::weigh_bins(State<float> const& state, index j, Wanted wanted, Room& room,
                               Gradients<float>& out) const {
    auto const area = static_cast<float>(model_.window * model_.window);  // kernels do not scale
    float *const intensity = room.intensity.re(0), *const pixels = room.pixels.data();
    for (index k = 0; k < room.modes; ++k)
        kernel_.to_detector(roots_, room.tile(k), k == 0, intensity);
    bins_.add_up(intensity, pixels);
    std::size_t const on = state.background.size();
    for (std::size_t p = 0; p < on; ++p) {
        pixels[p] += area * state.background[p];
        out.model[p] = valid_[p] * pixels[p] / area;
    }
    PixelSums const sums =
        kernel_.weigh_sum(pixels, bins_.filled(), pixels_of_bins(j, wanted, room));
    for (std::size_t p = 0; p < on; ++p) out.background[p] = area * pixels[p];
    bins_.spread(pixels, intensity);
    for (index k = 0; k < room.modes; ++k) kernel_.from_detector(roots_, room.tile(k), intensity);
    return sums;
}

}  // namespace sluice::ptycho
