// Checking layouts.
// SPDX-License-Identifier: Apache-2.0
#include "fft/layout.h"

#include <fmt/format.h>

namespace sluice::fft {
namespace {

// Four times as many complex doubles still have an address: Bluestein's needs them.
constexpr index most = index{1} << 56;

Error refused(Layout const& layout, std::string const& why) {
    return {Code::invalid_argument, fmt::format("cannot plan a Fourier transform of {} x {} ({}",
                                                layout.batch, name_of(layout.shape), why)};
}

bool grow(index& product, index factor) {
    return !__builtin_mul_overflow(product, factor, &product) && product <= most;
}

// Whether batch arrays `step` apart have addresses.
bool has_room(index batch, index step) {
    return step <= most && grow(batch, step);
}

}  // namespace

std::string name_of(std::vector<index> const& shape) {
    return fmt::format("{}", fmt::join(shape, "x"));
}

Error out_of_memory(std::vector<index> const& shape) {
    return {Code::out_of_memory,
            fmt::format("no memory for a Fourier transform of {} (the machine has not enough) use "
                        "a smaller shape or fewer threads",
                        name_of(shape))};
}

Result<Sizes> checked(Layout const& layout) {
    if (layout.shape.empty() || layout.shape.size() > 3)
        return refused(layout, fmt::format("{} extents) give one to three", layout.shape.size()));
    Sizes s{layout.shape, layout.batch, layout.numbers == Numbers::real};
    if (layout.batch < 1) return refused(layout, "no array) give a batch of 1 or more");
    for (index const extent : layout.shape) {
        if (extent < 1) return refused(layout, "an extent is below 1) give extents of 1 or more");
        if (!grow(s.array, extent)) return refused(layout, "it is too large) give a smaller shape");
    }
    index const last = layout.shape.back();
    s.spectrum = s.real ? s.array / last * (last / 2 + 1) : s.array;
    s.step = layout.step == 0 ? s.array : layout.step;
    s.spectrum_step = s.real ? layout.spectrum_step : layout.step;
    if (s.spectrum_step == 0) s.spectrum_step = s.spectrum;
    if (s.step < 1 || s.spectrum_step < s.spectrum)
        return refused(layout, "arrays overlap) give a step of an array or more");
    if (!has_room(s.batch, s.step) || !has_room(s.batch, s.spectrum_step))
        return refused(layout, "they are too large) give a smaller batch or step");
    return s;
}

}  // namespace sluice::fft
