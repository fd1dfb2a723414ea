// Fields: the members of a struct of options by name. Command lines, TOML files, checkpoints and
// Python read and write them through a table, so that a new option is a member and a line of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "config/field_value.h"

namespace sluice::config {

/// One member of T. Tables are made of field<&T::member>(name, what).
template <class T>
struct Field {
    std::string_view name;  ///< with underscores, as TOML files, --set and Python have it
    std::string_view what;  ///< for people
    Kind kind = Kind::text;
    std::vector<std::string> (*names)() = nullptr;  ///< of an enumeration's values
    Bounds bounds = {};
    /// `shown` is what errors call the field. After an error `into` is as it was.
    Status (*read)(Shown const& shown, std::string_view text, T& into) = nullptr;
    /// The text that read() makes the same value of.
    std::string (*text)(T const& of) = nullptr;
    std::string_view option = {};  ///< on the command line, where it is not the name with dashes
    std::optional<Dimension> dimension = {};  ///< of a number that comes with its unit
    bool needed = false;                      ///< texts give it always: it has no usual value
    char between = ',';                       ///< what one text of a list has between its values

    constexpr Field called(std::string_view option_name) const {
        Field other = *this;
        other.option = option_name;
        return other;
    }
    constexpr Field required() const {
        Field other = *this;
        other.needed = true;
        return other;
    }
    /// Texts of a custom field that come with this between, or each on its own.
    constexpr Field listed(char between_values = ',') const {
        Field other = *this;
        other.kind = Kind::list;
        other.between = between_values;
        return other;
    }
    Status set(T& into, std::string_view value) const { return read({name, bounds}, value, into); }
};

namespace member {

template <class At>
struct Of;
template <class T, class Value>
struct Of<Value T::*> {
    using Owner = T;
    using Type = Value;
};
template <auto at>
using Owner = typename Of<decltype(at)>::Owner;
template <auto at>
using Type = typename Of<decltype(at)>::Type;

}  // namespace member

template <auto at>
constexpr Field<member::Owner<at>> field(std::string_view name, std::string_view what,
                                         Bounds bounds = {}) {
    using T = member::Owner<at>;
    using Value = member::Type<at>;
    return {name,
            what,
            kind_of<Value>(),
            names_in<Value>(),
            bounds,
            [](Shown const& shown, std::string_view text, T& into) {
                return read_value(shown, text, into.*at);
            },
            [](T const& of) { return value_text(of.*at); }};
}

/// A number that texts give with its unit, as in "2.5 mm", or a list of such numbers.
template <auto at, Dimension unit>
constexpr Field<member::Owner<at>> quantity_field(std::string_view name, std::string_view what) {
    using T = member::Owner<at>;
    return {.name = name,
            .what = what,
            .kind = value::Inner<member::Type<at>>::list ? Kind::list : Kind::quantity,
            .read = [](Shown const& shown, std::string_view text,
                       T& into) { return read_quantity(shown, text, unit, into.*at); },
            .text = [](T const& of) { return quantity_text(of.*at, unit); },
            .dimension = unit};
}

/// A member whose texts are not those of its type.
template <auto at, auto reader, auto writer>
constexpr Field<member::Owner<at>> custom_field(std::string_view name, std::string_view what) {
    using T = member::Owner<at>;
    return {name,
            what,
            Kind::text,
            nullptr,
            {},
            [](Shown const& shown, std::string_view text, T& into) {
                return reader(shown, text, into.*at);
            },
            [](T const& of) { return writer(of.*at); }};
}

template <class T>
using Fields = std::span<Field<T> const>;

template <class T>
Field<T> const* find_field(Fields<T> fields, std::string_view name) {
    for (auto const& field : fields)
        if (field.name == name) return &field;
    return nullptr;
}

/// Names and texts of all fields: set() restores the same bits from them. An optional without a
/// value and an empty list have the text "", which set() refuses.
template <class T>
std::vector<std::pair<std::string, std::string>> texts_of(T const& of, Fields<T> fields) {
    std::vector<std::pair<std::string, std::string>> all;
    for (auto const& field : fields) all.emplace_back(field.name, field.text(of));
    return all;
}

/// The bounds of numbers that did not come from texts.
template <class T>
Status check_fields(T const& of, Fields<T> fields) {
    T copy = of;
    for (auto const& field : fields)
        if (std::string const text = field.text(of); !text.empty())
            SLUICE_CHECK(field.set(copy, text));
    return {};
}

}  // namespace sluice::config
