// The fields of OpenOptions: those of every format, and those of the table of formats.
// SPDX-License-Identifier: Apache-2.0
#include "format/fields.h"

#include <algorithm>

#include "format/synthetic/options.h"
#include "format/table.h"

namespace sluice {

namespace {

constexpr config::Field<OpenOptions> of_all_formats[] = {
    config::custom_field<&OpenOptions::scan_shape, read_shape, shape_text>(
        "scan_shape", "scan shape ROWSxCOLUMNS, when the files do not say")
        .called("--scan"),
    config::field<&OpenOptions::allow_incomplete>(
        "allow_incomplete", "open although frames are missing; they read as the file's fill value"),
};

// Several formats have one field, as two have a dataset.
std::vector<config::Field<OpenOptions>> all_fields_of_opening() {
    std::vector<config::Field<OpenOptions>> all(std::begin(of_all_formats),
                                                std::end(of_all_formats));
    for (Format const& f : formats())
        for (auto const& field : f.fields)
            if (std::ranges::count(all, field.name, &config::Field<OpenOptions>::name) == 0)
                all.push_back(field);
    return all;
}

}  // namespace

Status read_shape(config::Shown const& shown, std::string_view text,
                  std::optional<std::array<index, 2>>& out) {
    std::array<index, 2> shape{};
    SLUICE_CHECK(synthetic::read_shape(shown, text, shape));
    out = shape;
    return {};
}

std::string shape_text(std::optional<std::array<index, 2>> const& shape) {
    return shape ? synthetic::shape_text(*shape) : std::string();
}

config::Fields<OpenOptions> common_open_fields() {
    return of_all_formats;
}

config::Fields<OpenOptions> open_fields() {
    static std::vector<config::Field<OpenOptions>> const all = all_fields_of_opening();
    return all;
}

}  // namespace sluice
