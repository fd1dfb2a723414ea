// Krivanek's coefficients: their texts, their limits and their phase.
// SPDX-License-Identifier: Apache-2.0
#include "optics/aberrations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace sluice::optics {

Result<std::vector<Aberration>> aberrations_of(ProbeOptics const& probe) {
    std::vector<Aberration> all = probe.aberrations;
    all.push_back({1, 0, -probe.defocus_nm});
    all.push_back({1, 2, probe.astigmatism_nm, probe.astigmatism_degrees});
    all.push_back({3, 0, probe.spherical_mm * 1e6});
    for (Aberration const& c : all)
        if (c.n < 1 || c.m < 0 || c.m > c.n + 1 || (c.n + c.m) % 2 == 0)
            return Error{Code::invalid_argument,
                         fmt::format("there is no aberration C{}{} (m is at most n + 1, and their "
                                     "sum is odd) take one such as C12, C21, C23, C30 or C34",
                                     c.n, c.m)};
    return all;
}

double chi_of(std::vector<Aberration> const& aberrations, double angle, double azimuth,
              double wavelength_nm) {
    double sum = 0;
    for (Aberration const& c : aberrations)
        if (c.nm != 0)
            sum += c.nm * std::pow(angle, c.n + 1) / (c.n + 1) *
                   std::cos(c.m * (azimuth - c.degrees * std::numbers::pi / 180));
    return 2 * std::numbers::pi / wavelength_nm * sum;
}

Result<Aberration> parse_aberration(std::string const& text) {
    auto const digit = [&](std::size_t i) {
        return i < text.size() && text[i] >= '0' && text[i] <= '9';
    };
    auto const number = [&](std::size_t begin, std::size_t end, double& value) {
        auto const [stop, error] = std::from_chars(text.data() + begin, text.data() + end, value);
        return error == std::errc() && stop == text.data() + end && std::isfinite(value);
    };
    Aberration found;
    std::size_t const at = std::min(text.find('@'), text.size());
    if (!text.starts_with('C') || !digit(1) || !digit(2) || text.size() < 5 || text[3] != '=' ||
        !number(4, at, found.nm) ||
        (at < text.size() && !number(at + 1, text.size(), found.degrees)))
        return Error{
            Code::invalid_argument,
            fmt::format("'{}' is not an aberration (write C23=400@30 for C23 of 400 nm at 30 "
                        "degrees) give its name, its length in nm and its angle",
                        text)};
    found.n = text[1] - '0';
    found.m = text[2] - '0';
    return found;
}

}  // namespace sluice::optics
