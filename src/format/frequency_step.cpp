// The field of a detector's step in 1/nm, written and read.
// SPDX-License-Identifier: Apache-2.0
#include "format/frequency_step.h"

#include <fmt/format.h>

#include <charconv>

namespace sluice {

namespace {
constexpr char const* name = "detector step";
constexpr char const* unit = "1/nm";
}  // namespace

MetaField frequency_step_field(double per_nm) {
    return {name, fmt::format("{:.10g}", per_nm), unit};
}

double frequency_step(Dataset const& dataset) {
    double step = 0;
    for (MetaField const& field : dataset.metadata)
        if (field.name == name && field.unit == unit)
            std::from_chars(field.value.data(), field.value.data() + field.value.size(), step);
    return step;
}

}  // namespace sluice
