// The fields of a detector's rotation, written and read.
// SPDX-License-Identifier: Apache-2.0
#include "format/detector_turn.h"

#include <fmt/format.h>

#include <charconv>

namespace sluice {

namespace {
constexpr char const *rotation = "detector rotation", *transposed = "detector transposed";
constexpr char const* unit = "degrees";
}  // namespace

std::vector<MetaField> detector_turn_fields(DetectorTurn const& turn) {
    return {{rotation, fmt::format("{:.10g}", turn.degrees), unit},
            {transposed, turn.transpose ? "true" : "false", ""}};
}

std::optional<DetectorTurn> detector_turn(Dataset const& dataset) {
    std::optional<DetectorTurn> found;
    for (MetaField const& field : dataset.metadata) {
        if (field.name == rotation && field.unit == unit) {
            found.emplace();
            std::from_chars(field.value.data(), field.value.data() + field.value.size(),
                            found->degrees);
        }
        if (field.name == transposed && found) found->transpose = field.value == "true";
    }
    return found;
}

std::string text_of(DetectorTurn const& turn) {
    return fmt::format("{:g} degrees{}", turn.degrees, turn.transpose ? ", transposed" : "");
}

}  // namespace sluice
