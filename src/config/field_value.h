// What texts are as values of fields, and back: by the type of the value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>

#include "config/quantity.h"
#include "config/words.h"
#include "sluice/view.h"

namespace sluice::config {

/// What a text of a field looks like.
enum class Kind : std::uint8_t { flag, whole, number, quantity, word, text, list };

/// Numbers from the least to the most; the least itself is left out where `above` says so.
struct Bounds {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    bool above = false;

    constexpr bool hold(double value) const {
        return (above ? value > least : value >= least) && value <= most;
    }
};
constexpr Bounds positive{.least = 0, .above = true};
constexpr Bounds not_negative{.least = 0};
constexpr Bounds between(double least, double most) {
    return {least, most};
}

/// What errors call a field, and which numbers it holds.
struct Shown {
    std::string_view name;
    Bounds bounds = {};
};

Status read_value(Shown const& shown, std::string_view text, bool& out);
/// Of int, std::int64_t, std::uint64_t and double.
template <class Number>
requires std::is_arithmetic_v<Number> Status read_value(Shown const& shown, std::string_view text,
                                                        Number& out);
Status read_value(Shown const& shown, std::string_view text, std::string& out);
Status read_quantity(Shown const& shown, std::string_view text, Dimension dimension, double& out);

std::string value_text(bool value);
std::string value_text(double value);  ///< the shortest that gives the same bits
std::string value_text(std::string const& value);
std::string quantity_text(double value, Dimension dimension);

template <std::integral Value>
std::string value_text(Value value) {
    return fmt::format("{}", value);
}

template <Worded Value>
Status read_value(Shown const& shown, std::string_view text, Value& out) {
    SLUICE_TRY(out, read_word<Value>(shown.name, text));
    return {};
}
template <Worded Value>
std::string value_text(Value value) {
    return std::string(word_of(value));
}

template <class Value>
Status read_value(Shown const& shown, std::string_view text, std::optional<Value>& out) {
    Value value{};
    SLUICE_CHECK(read_value(shown, text, value));
    out = std::move(value);
    return {};
}
template <class Value>
std::string value_text(std::optional<Value> const& value) {
    return value ? value_text(*value) : std::string();
}

/// Values with commas between them, or something else, each of which `read` reads.
template <class Value, class Read>
Status read_list(std::string_view text, std::vector<Value>& out, Read const& read,
                 char between = ',') {
    std::vector<Value> values;
    while (true) {
        auto const end = text.find(between);
        SLUICE_CHECK(read(text.substr(0, end), values.emplace_back()));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    out = std::move(values);
    return {};
}
template <class Value, class Text>
std::string list_text(std::vector<Value> const& values, Text const& text, char between = ',') {
    std::string all;
    for (auto const& value : values) {
        if (!all.empty()) all += between;
        all += text(value);
    }
    return all;
}

template <class Value>
Status read_value(Shown const& shown, std::string_view text, std::vector<Value>& out) {
    return read_list(text, out, [&](std::string_view one, Value& value) {
        return read_value(shown, one, value);
    });
}
template <class Value>
std::string value_text(std::vector<Value> const& values) {
    return list_text(values, [](Value const& value) { return value_text(value); });
}

inline Status read_quantity(Shown const& shown, std::string_view text, Dimension dimension,
                            std::optional<double>& out) {
    double value = 0;
    SLUICE_CHECK(read_quantity(shown, text, dimension, value));
    out = value;
    return {};
}
inline std::string quantity_text(std::optional<double> value, Dimension dimension) {
    return value ? quantity_text(*value, dimension) : std::string();
}
inline Status read_quantity(Shown const& shown, std::string_view text, Dimension dimension,
                            std::vector<double>& out) {
    return read_list(text, out, [&](std::string_view one, double& value) {
        return read_quantity(shown, one, dimension, value);
    });
}
inline std::string quantity_text(std::vector<double> const& values, Dimension dimension) {
    return list_text(values, [&](double value) { return quantity_text(value, dimension); });
}

namespace value {

template <class Value>
struct Inner {
    using Type = Value;
    static constexpr bool list = false;
};
template <class Value>
struct Inner<std::optional<Value>> : Inner<Value> {};
template <class Value>
struct Inner<std::vector<Value>> {
    using Type = Value;
    static constexpr bool list = true;
};

}  // namespace value

template <class Value>
constexpr Kind kind_of() {
    using Inner = value::Inner<Value>;
    using Type = typename Inner::Type;
    if (Inner::list) return Kind::list;
    if (std::is_same_v<Type, bool>) return Kind::flag;
    if (std::is_integral_v<Type>) return Kind::whole;
    if (std::is_floating_point_v<Type>) return Kind::number;
    return std::is_enum_v<Type> ? Kind::word : Kind::text;
}

/// What lists the words of an enumeration; null for other types.
template <class Value>
constexpr auto names_in() -> std::vector<std::string> (*)() {
    using Type = typename value::Inner<Value>::Type;
    if constexpr (Worded<Type>)
        return &names_of<Type>;
    else
        return nullptr;
}

}  // namespace sluice::config
