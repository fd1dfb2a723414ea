// Arrays as their norm and a few sums with signs that are drawn: other arrays have other sums.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/checkpoint/beginning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

#include "base/splitmix.h"

namespace sluice::ptycho {

namespace {

constexpr std::size_t sums = 8;

// How many elements, their norm, and the sums.
template <class Values, class ToComplex>
std::string sketch(Values const& values, ToComplex const& to_complex) {
    std::array<std::complex<double>, sums> found = {};
    double norm = 0;
    std::uint64_t at = 0;
    for (auto const& value : values) {
        std::complex<double> const z = to_complex(value);
        norm += std::norm(z);
        std::uint64_t const bits = splitmix::mix(++at * splitmix::golden);
        for (std::size_t k = 0; k < sums; ++k) found[k] += (bits >> k & 1) != 0 ? z : -z;
    }
    std::vector<double> numbers = {static_cast<double>(at), std::sqrt(norm)};
    for (auto const& z : found) numbers.insert(numbers.end(), {z.real(), z.imag()});
    return fmt::format("{:.9g}", fmt::join(numbers, " "));
}

std::vector<double> numbers_in(std::string const& text) {
    std::vector<double> numbers;
    for (char const *at = text.data(), *const end = at + text.size(); at < end;) {
        double value = 0;
        auto const [stop, error] = std::from_chars(at, end, value);
        if (error != std::errc{}) return {};
        numbers.push_back(value);
        at = stop + 1;  // behind the space
    }
    return numbers;
}

}  // namespace

stem4d::SettingTexts beginning_of(stem4d::Patterns const& patterns,
                                  stem4d::PtychographyOptions const& options) {
    auto const wave = [](std::vector<std::complex<float>> const& values) {
        return sketch(values, [](auto const& z) { return std::complex<double>(z); });
    };
    return {{"wavelength_nm", fmt::format("{:.9g}", patterns.wavelength_nm)},
            {"pixel_nm", fmt::format("{:.9g}", patterns.pixel_nm)},
            {"distance_mm", fmt::format("{:.9g}", patterns.distance_mm)},
            {"probe", wave(options.probe)},
            {"object", wave(options.object)},
            {"positions", sketch(options.positions, [](auto const& p) {
                 return std::complex<double>(p.row, p.col);
             })}};
}

bool same_beginning(std::string const& before, std::string const& now) {
    // Floats hold seven digits, and a wave's sums differ by far more where its phases do.
    constexpr double rounding = 1e-5;
    auto const a = numbers_in(before), b = numbers_in(now);
    if (a.empty() || a.size() != b.size()) return false;
    double const scale = a.size() == 1 ? std::abs(a[0]) : std::abs(a[1]);
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= rounding * scale)) return false;
    return a.size() == 1 || a[0] == b[0];
}

std::string what_makes(std::string const& name) {
    if (name == "probe")
        return "it comes from semiangle, defocus, other aberrations, a vacuum image, the file or "
               "an earlier result";
    if (name == "object" || name == "positions")
        return "it comes from an earlier result or from arrays";
    return "it comes from the energy, the geometry of the detector or the file";
}

}  // namespace sluice::ptycho
