// Correlates two patterns at once: one is the real part, the other the imaginary part.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/correlator.h"

#include <fmt/format.h>

#include <new>

#include "fft/squares/tile.h"

namespace sluice::crystal {
namespace {

// The next number with no prime factor above 5.
index next_smooth(index n) {
    for (;; ++n) {
        index left = n;
        for (index const p : {2, 3, 5})
            while (left % p == 0) left /= p;
        if (left == 1) return n;
    }
}

index next_square(index n) {
    for (index const side : fft::square_sides)
        if (side >= n) return side;
    return 0;
}

// The conjugate of the kernel's spectrum: with it, a product is a correlation.
Result<std::vector<fft::Complex<double>>> spectrum_of(KernelImage const& kernel,
                                                      std::array<index, 2> extents) {
    auto const [rows, cols] = extents;
    std::vector<fft::Complex<double>> values(static_cast<std::size_t>(rows * cols));
    for (index r = -kernel.reach; r <= kernel.reach; ++r)
        for (index c = -kernel.reach; c <= kernel.reach; ++c)
            values[static_cast<std::size_t>((r + rows) % rows * cols + (c + cols) % cols)] =
                kernel.at(r, c);
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({.shape = {rows, cols}}));
    SLUICE_CHECK(plan.forward(values));
    for (auto& v : values) v = std::conj(v);
    return values;
}

// In the order of the passes, which do not scale.
AlignedFloats by_passes(std::vector<fft::Complex<double>> const& spectrum, index side) {
    AlignedFloats factors(2 * side * side);
    double const scale = 1 / static_cast<double>(side * side);
    for (index i = 0; i < side * side; ++i) {
        auto const v = spectrum[static_cast<std::size_t>(fft::natural_place(side, i))] * scale;
        float* const pair = factors.data() + i / 16 * 32 + i % 16;
        pair[0] = static_cast<float>(v.real());
        pair[16] = static_cast<float>(v.imag());
    }
    return factors;
}

AlignedFloats by_turns(std::vector<fft::Complex<double>> const& spectrum) {
    AlignedFloats factors(2 * std::ssize(spectrum));
    float* to = factors.data();
    for (auto const& v : spectrum) {
        *to++ = static_cast<float>(v.real());
        *to++ = static_cast<float>(v.imag());
    }
    return factors;
}

}  // namespace

Result<Correlator> Correlator::make(std::array<index, 2> shape, KernelImage const& kernel,
                                    Device const& device) {
    index const width = 2 * kernel.reach + 1;
    if (std::min(shape[0], shape[1]) < width)
        return Error{
            Code::invalid_argument,
            fmt::format(
                "cannot look for disks in patterns of {}x{} pixels after binning (the template "
                "and its surroundings take {}x{}) give a smaller template",
                shape[0], shape[1], width, width)};
    Correlator c;
    index const side =
        device.kind() == Device::Kind::reference ? 0 : next_square(std::max(shape[0], shape[1]));
    c.extents_ =
        side ? std::array{side, side} : std::array{next_smooth(shape[0]), next_smooth(shape[1])};
    SLUICE_TRY(auto const spectrum, spectrum_of(kernel, c.extents_));
    if (!side) {
        c.factors_ = by_turns(spectrum);
        SLUICE_TRY(c.plan_, fft::Plan<float>::make({.shape = {c.extents_[0], c.extents_[1]}}));
        return c;
    }
    for (SquareCorrelation const& square : detect_kernels(device.isa()).squares)
        if (square.side == side) c.square_ = &square;
    c.roots_ = &fft::roots_of_square(side);
    c.factors_ = by_passes(spectrum, side);
    return c;
}

index Correlator::scratch() const {
    return square_ ? square_->tile_floats : 2 * extents_[0] * extents_[1];
}

void Correlator::two(float* scratch, float const* a, float const* b, float* out_a,
                     float* out_b) const {
    if (!square_) return by_plan(scratch, a, b, out_a, out_b);
    square_->two(*roots_, scratch, a, b, factors_.data(), out_a, out_b);
}

void Correlator::by_plan(float* scratch, float const* a, float const* b, float* out_a,
                         float* out_b) const {
    index const n = extents_[0] * extents_[1];
    auto* const numbers = reinterpret_cast<fft::Complex<float>*>(scratch);
    auto const* const factors = reinterpret_cast<fft::Complex<float> const*>(factors_.data());
    std::span const all(numbers, static_cast<std::size_t>(n));
    for (index i = 0; i < n; ++i) numbers[i] = {a[i], b[i]};
    // A transform fails only when memory is short.
    if (!plan_->forward(all)) throw std::bad_alloc();
    for (index i = 0; i < n; ++i) {
        auto const x = numbers[i], f = factors[i];
        numbers[i] = {x.real() * f.real() - x.imag() * f.imag(),
                      x.real() * f.imag() + x.imag() * f.real()};
    }
    if (!plan_->inverse(all)) throw std::bad_alloc();
    for (index i = 0; i < n; ++i) {
        out_a[i] = numbers[i].real();
        out_b[i] = numbers[i].imag();
    }
}

}  // namespace sluice::crystal
