// Texts as values of fields.
// SPDX-License-Identifier: Apache-2.0
#include "config/field_value.h"

#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

namespace sluice::config {

namespace {

Error no_value(std::string_view name, std::string_view value, std::string_view what) {
    return {Code::invalid_argument,
            fmt::format("{} is '{}' (it has no such value) give {}", name, value, what)};
}

std::string range_of(Bounds const& bounds, std::string_view number) {
    if (!std::isfinite(bounds.least) && !std::isfinite(bounds.most)) return std::string(number);
    if (std::isfinite(bounds.least) && std::isfinite(bounds.most))
        return fmt::format("{} from {} to {}", number, bounds.least, bounds.most);
    if (std::isfinite(bounds.most)) return fmt::format("{} up to {}", number, bounds.most);
    return fmt::format("{} {}", number,
                       bounds.above ? fmt::format("above {}", bounds.least)
                                    : fmt::format("from {}", bounds.least));
}

}  // namespace

Error no_word(std::string_view what, std::string_view text, std::vector<std::string> const& names) {
    return no_value(what, text, fmt::format("one of {}", fmt::join(names, ", ")));
}

Status read_value(Shown const& shown, std::string_view text, bool& out) {
    if (text != "true" && text != "false") return no_value(shown.name, text, "true or false");
    out = text == "true";
    return {};
}
template <class Number>
requires std::is_arithmetic_v<Number> Status read_value(Shown const& shown, std::string_view text,
                                                        Number& out) {
    constexpr bool real = std::is_floating_point_v<Number>;
    std::string_view const kind = real ? "a number" : "a whole number";
    Number value{};
    std::string_view digits = text;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
        return no_value(shown.name, text, range_of(shown.bounds, kind));
    if constexpr (real)
        if (!std::isfinite(value)) return no_value(shown.name, text, "a finite number");
    if (!shown.bounds.hold(static_cast<double>(value)))
        return no_value(shown.name, text, range_of(shown.bounds, kind));
    out = value;
    return {};
}
template Status read_value(Shown const&, std::string_view, int&);
template Status read_value(Shown const&, std::string_view, std::int64_t&);
template Status read_value(Shown const&, std::string_view, std::uint64_t&);
template Status read_value(Shown const&, std::string_view, double&);

Status read_value(Shown const& /*shown*/, std::string_view text, std::string& out) {
    out = text;
    return {};
}

Status read_quantity(Shown const& shown, std::string_view text, Dimension dimension, double& out) {
    auto const value = parse_quantity(text, dimension);
    if (!value)
        return Error{Code::invalid_argument,
                     fmt::format("{} {}", shown.name, value.error().message)};
    out = *value;
    return {};
}

std::string value_text(bool value) {
    return value ? "true" : "false";
}
std::string value_text(double value) {
    return fmt::format("{}", value);
}
std::string value_text(std::string const& value) {
    return value;
}
std::string quantity_text(double value, Dimension dimension) {
    return fmt::format("{} {}", value, base_unit(dimension));
}

}  // namespace sluice::config
