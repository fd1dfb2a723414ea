// Bins: lists of numbers for each pixel, so that sums have one order and no pixel waits for itself.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/bins.h"

#include <algorithm>

#include "domain/ptychography/step/optics.h"
#include "fft/squares/tile.h"

namespace sluice::ptycho {

Bins::Bins(Model const& model)
    : area_(model.window * model.window),
      pixels_(model.detector * model.detector),
      of_each_(model.bin * model.bin) {
    auto const pixel_of = detector_pixels(model);
    std::vector<index> met(static_cast<std::size_t>(pixels_));
    spots_.resize(static_cast<std::size_t>(pixels_ * of_each_));
    for (index i = 0; i < area_; ++i) {
        index const pixel = pixel_of[static_cast<std::size_t>(fft::natural_place(model.window, i))];
        if (pixel < 0) continue;
        index const spot = pixel * of_each_ + met[static_cast<std::size_t>(pixel)]++;
        spots_[static_cast<std::size_t>(spot)] = static_cast<std::int32_t>(i);
    }
}

void Bins::add_up(float const* spectrum, float* pixels) const {
    std::int32_t const* spot = spots_.data();
    for (index p = 0; p < pixels_; ++p) {
        float sum = 0;
        for (index i = 0; i < of_each_; ++i) sum += spectrum[*spot++];
        pixels[p] = sum;
    }
}

void Bins::spread(float const* pixels, float* spectrum) const {
    if (pixels_ * of_each_ < area_) std::fill(spectrum, spectrum + area_, 0.0f);
    std::int32_t const* spot = spots_.data();
    for (index p = 0; p < pixels_; ++p)
        for (index i = 0; i < of_each_; ++i) spectrum[*spot++] = pixels[p];
}

}  // namespace sluice::ptycho
