// Nice numbers and their texts.
// SPDX-License-Identifier: Apache-2.0
#include "figure/nice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace sluice::figure {
namespace {

int exponent_of(double v) {
    return static_cast<int>(std::floor(std::log10(v) + 1e-9));
}

std::string with_minus(std::string text) {
    auto const at = text.find('-');
    if (at != std::string::npos) text.replace(at, 1, "\u2212");
    return text;
}

/// Plain digits where they are short, else a power of ten.
std::string decade_text(int mantissa, int exponent) {
    if (exponent >= -3 && exponent <= 4) return number_text(mantissa * std::pow(10.0, exponent));
    if (mantissa == 1) return power_of_ten(exponent);
    return fmt::format("{}×{}", mantissa, power_of_ten(exponent));
}

Ticks even_ticks(Limits limits, int count) {
    double const step = nice_number((limits.high - limits.low) / std::max(count, 1));
    double const largest = std::max(std::abs(limits.low), std::abs(limits.high));
    int shift = exponent_of(largest);
    if (shift > -3 && shift < 5) shift = 0;
    int const decimals = std::clamp(shift - exponent_of(step), 0, 12);
    Ticks out;
    if (shift != 0) out.factor = "×" + power_of_ten(shift);
    double const slack = step * 1e-6;
    for (double k = std::ceil((limits.low - slack) / step); k * step <= limits.high + slack; ++k) {
        double const shown = k == 0 ? 0 : k * step / std::pow(10.0, shift);
        out.ticks.push_back({k * step, with_minus(fmt::format("{:.{}f}", shown, decimals))});
        if (out.ticks.size() > 100) break;  // a step too small to change the value
    }
    return out;
}

Ticks decade_ticks(Limits limits, int count) {
    int const first = exponent_of(limits.low), last = exponent_of(limits.high);
    double const decades = std::log10(limits.high / limits.low);
    int const stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(count, 1))));
    Ticks out;
    for (int exponent = first; exponent <= last; exponent += stride)
        for (int mantissa : {1, 2, 5}) {
            double const value = mantissa * std::pow(10.0, exponent);
            bool const inside =
                value >= limits.low * (1 - 1e-9) && value <= limits.high * (1 + 1e-9);
            if (inside && (mantissa == 1 || decades * 2.5 < count))
                out.ticks.push_back({value, decade_text(mantissa, exponent)});
        }
    return out;
}

/// Round numbers of every size: a power scale shows them at ever larger distances.
Ticks spreading_ticks(Limits limits) {
    Ticks out;
    if (limits.low == 0) out.ticks.push_back({0, "0"});
    int const last = exponent_of(limits.high);
    for (int exponent = last - 4; exponent <= last; ++exponent)
        for (int mantissa : {1, 2, 5}) {
            double const value = mantissa * std::pow(10.0, exponent);
            if (value >= limits.low && value <= limits.high * (1 + 1e-9))
                out.ticks.push_back({value, decade_text(mantissa, exponent)});
        }
    return out;
}

}  // namespace

double nice_number(double about) {
    double const power = std::pow(10.0, std::floor(std::log10(about)));
    double const m = about / power;
    // The borders are the geometric means of 1, 2, 5 and 10.
    if (m < std::sqrt(2.0)) return power;
    if (m < std::sqrt(10.0)) return 2 * power;
    if (m < std::sqrt(50.0)) return 5 * power;
    return 10 * power;
}

Ticks nice_ticks(Scale scale, Limits limits, int count) {
    if (scale == Scale::log) {
        Ticks ticks = decade_ticks(limits, count);
        if (ticks.ticks.size() >= 2) return ticks;
    }
    if (scale == Scale::power && limits.low >= 0 && limits.low < limits.high / 4)
        return spreading_ticks(limits);
    return even_ticks(limits, count);
}

std::string power_of_ten(int exponent) {
    constexpr std::string_view raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string out = "10";
    for (char c : fmt::format("{}", exponent))
        out += c == '-' ? "⁻" : raised[static_cast<std::size_t>(c - '0')];
    return out;
}

std::string number_text(double value, int digits) {
    std::string text = fmt::format("{:.{}g}", value, digits);
    if (std::abs(value) >= 1000 && std::abs(value) < 99999.5) text = fmt::format("{:.0f}", value);
    auto const e = text.find('e');
    if (e == std::string::npos) return with_minus(text);
    return with_minus(text.substr(0, e)) + "×" + power_of_ten(std::stoi(text.substr(e + 1)));
}

}  // namespace sluice::figure
