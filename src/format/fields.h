// The fields of OpenOptions: options of the command line and names of Python's arguments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/dataset.h"

namespace sluice {

/// How acquisitions are opened: what every format understands, and then the fields of each format
/// in the table of formats.
config::Fields<OpenOptions> open_fields();
/// The first part of them.
config::Fields<OpenOptions> common_open_fields();

/// "256x192" as (rows, columns), and back.
Status read_shape(config::Shown const& shown, std::string_view text,
                  std::optional<std::array<index, 2>>& out);
std::string shape_text(std::optional<std::array<index, 2>> const& shape);

/// A field of a format's own struct of options.
template <auto at>
constexpr config::Field<OpenOptions> format_field(std::string_view name, std::string_view what,
                                                  config::Bounds bounds = {}) {
    using Struct = config::member::Owner<at>;
    using Value = config::member::Type<at>;
    return {name,
            what,
            config::kind_of<Value>(),
            config::names_in<Value>(),
            bounds,
            [](config::Shown const& shown, std::string_view text, OpenOptions& into) {
                return config::read_value(shown, text, into.format.of<Struct>().*at);
            },
            [](OpenOptions const& of) { return config::value_text(of.format.of<Struct>().*at); }};
}
/// One that is a shape.
template <auto at>
constexpr config::Field<OpenOptions> format_shape(std::string_view name, std::string_view what) {
    using Struct = config::member::Owner<at>;
    return {name,
            what,
            config::Kind::text,
            nullptr,
            {},
            [](config::Shown const& shown, std::string_view text, OpenOptions& into) {
                return read_shape(shown, text, into.format.of<Struct>().*at);
            },
            [](OpenOptions const& of) { return shape_text(of.format.of<Struct>().*at); }};
}

/// Of the formats that hold arrays.
inline constexpr auto axis_order_field = config::field<&OpenOptions::axis_order>(
    "axis_order",
    "what the array's dimensions are, slowest first, if not "
    "scan_row,scan_column,detector_row,detector_column");

}  // namespace sluice
