// Checks of kernels that no analysis of a scan reaches: transforms, pyramids and colours of slides.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "device/place.h"
#include "domain/slide/swap.h"
#include "fft/fft.h"
#include "fft/remote.h"
#include "kernel/halve/halve.h"
#include "launch/map.h"
#include "validation/check.h"

namespace sluice::validation {
namespace {

template <class T>
std::vector<T> random_values(index count) {
    std::mt19937 random(3);
    std::vector<T> v;
    for (index i = 0; i < count; ++i) v.push_back(static_cast<T>(random() % 1000));
    return v;
}

// Two-dimensional transforms by their definition, as a product of two of one dimension.
template <class Real>
std::vector<std::complex<double>> by_definition(std::vector<fft::Complex<Real>> const& x, index n) {
    auto const root = [n](index k) {
        double const turn =
            -2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
        return std::complex<double>(std::cos(turn), std::sin(turn));
    };
    std::vector<std::complex<double>> rows(x.size()), all(x.size());
    auto const at = [n](index r, index c) { return static_cast<std::size_t>(r * n + c); };
    for (index r = 0; r < n; ++r)
        for (index k = 0; k < n; ++k)
            for (index c = 0; c < n; ++c)
                rows[at(r, k)] += std::complex<double>(x[at(r, c)]) * root(k * c);
    for (index k = 0; k < n; ++k)
        for (index l = 0; l < n; ++l)
            for (index r = 0; r < n; ++r) all[at(k, l)] += rows[at(r, l)] * root(k * r);
    return all;
}

template <class Real>
std::vector<fft::Complex<Real>> waves(index n) {
    auto const numbers = random_values<Real>(2 * n * n);
    std::vector<fft::Complex<Real>> x;
    for (std::size_t i = 0; i < numbers.size(); i += 2)
        x.emplace_back(numbers[i] - 500, numbers[i + 1] - 500);
    return x;
}

template <class C>
Numbers parts_of(std::vector<C> const& values) {
    Numbers all;
    for (auto const& v : values) {
        all.push_back(static_cast<double>(v.real()));
        all.push_back(static_cast<double>(v.imag()));
    }
    return all;
}

template <class Real>
Result<Numbers> transform(index n, Device const& device) {
    auto x = waves<Real>(n);
    if (device.kind() == Device::Kind::reference) return parts_of(by_definition<Real>(x, n));
    fft::Layout const layout{.shape = {n, n}};
    if (!device.remote()) {
        SLUICE_TRY(auto const plan, fft::Plan<Real>::make(layout));
        SLUICE_CHECK(plan.forward(x, device.threads()));
        return parts_of(x);
    }
    SLUICE_TRY(Queue queue, Queue::of(device));
    SLUICE_TRY(auto there, Place<fft::Complex<Real>>::of(queue, x));
    SLUICE_TRY(auto plan, fft::RemotePlan<Real>::make(queue, layout));
    SLUICE_CHECK(plan.forward(queue, there.data()));
    SLUICE_CHECK(queue.wait());
    SLUICE_TRY(auto const found, there.read(queue));
    return parts_of(found);
}

template <class T>
Result<Numbers> halved(Device const& device) {
    constexpr index width = 333, height = 127, samples = 3;
    auto values = random_values<T>(width * height * samples);
    if constexpr (std::is_floating_point_v<T>) values[5] = std::numeric_limits<T>::quiet_NaN();
    SLUICE_TRY(Queue queue, Queue::of(device));
    halve::Rows<T> shape{nullptr, nullptr, width, height, samples};
    SLUICE_TRY(auto const from, Place<T>::of(queue, values));
    SLUICE_TRY(auto const to, Place<T>::make(queue, shape.elements()));
    SLUICE_CHECK(launch::map(queue, shape.elements(),
                             halve::Rows<T>{from.data(), to.data(), width, height, samples}));
    SLUICE_TRY(auto const found, to.read(queue));
    return Numbers(found.begin(), found.end());
}

Result<Numbers> swapped(Device const& device) {
    constexpr index pixels = 1001;
    auto const from = random_values<std::uint16_t>(3 * pixels);
    std::vector<std::uint16_t> to(from.size());
    if (device.kind() == Device::Kind::reference)
        for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i - i % 3 + 2 - i % 3];
    else
        slide::swap(device.isa())
            .u16(reinterpret_cast<std::byte const*>(from.data()), pixels,
                 reinterpret_cast<std::byte*>(to.data()));
    return Numbers(to.begin(), to.end());
}

}  // namespace

void add_fft(std::vector<Check>& to) {
    for (index const n : {32, 60, 67}) {
        std::string const name = fmt::format("transform of {0}x{0}", n);
        to.push_back({"fft", name + ", float64", "random numbers", 1e-13,
                      "rounding of doubles, beside the definition",
                      [n](Device const& d) { return transform<double>(n, d); }});
        to.push_back({"fft", name + ", float32", "random numbers", 2e-6,
                      "rounding of floats, beside the definition in double",
                      [n](Device const& d) { return transform<float>(n, d); }});
    }
}

void add_slide(std::vector<Check>& to) {
    char const* const exact = "one rounding, the same everywhere";
    to.push_back(
        {"slide", "means of pixels, uint8", "random numbers", 0, exact, halved<std::uint8_t>});
    to.push_back(
        {"slide", "means of pixels, uint16", "random numbers", 0, exact, halved<std::uint16_t>});
    to.push_back(
        {"slide", "means of pixels, float32 and a NaN", "random numbers", 0, exact, halved<float>});
    to.push_back({"slide", "colours in another order", "random numbers", 0, "nothing is computed",
                  swapped, false});
}

}  // namespace sluice::validation
