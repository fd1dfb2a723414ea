// Windows read a register at a time; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/step/fast_kernels.h"
#include "fft/squares/lanes.h"

namespace sluice::ptycho::SLUICE_ISA {
namespace {

// Windows come from Planar, whose rows begin anywhere on a canvas.
[[gnu::always_inline, maybe_unused]] inline float const* re_of(Window w, index row, index column) {
    return w.first + row * 2 * w.half + column;
}
[[gnu::always_inline, maybe_unused]] inline float const* im_of(Window w, index row, index column) {
    return re_of(w, row, column) + w.half;
}

[[gnu::always_inline, maybe_unused]] inline float largest_of(fft::SLUICE_ISA::Floats const& all) {
    float peak = 0;
    for (index l = 0; l < fft::SLUICE_ISA::lanes; ++l) peak = all[l] > peak ? all[l] : peak;
    return peak;
}

}  // namespace
}  // namespace sluice::ptycho::SLUICE_ISA
