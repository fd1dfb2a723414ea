// Reads texts and whole numbers out of a request's JSON.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/fields.h"

#include <fmt/format.h>

#include <cmath>

namespace sluice::app {

Error wrong_field(std::string const& field, std::string const& why) {
    return {Code::invalid_argument, fmt::format("field '{}' ({})", field, why)};
}

Result<std::string> text_field(Fields const& fields, std::string const& name, std::size_t longest) {
    auto const it = fields.find(name);
    if (it == fields.end() || !it->is_string()) return wrong_field(name, "must be a text");
    auto text = it->get<std::string>();
    if (text.size() > longest)
        return wrong_field(name, fmt::format("is longer than {} letters", longest));
    return text;
}

Result<double> number_of(Fields const& value, std::string const& name) {
    if (!value.is_number()) return wrong_field(name, "must be a number");
    double const v = value.get<double>();
    if (!std::isfinite(v) || std::abs(v) > max_coordinate)
        return wrong_field(name, fmt::format("must lie within {} about 0", max_coordinate));
    return v;
}

Result<double> number_field(Fields const& fields, std::string const& name) {
    auto const it = fields.find(name);
    if (it == fields.end()) return wrong_field(name, "is missing");
    return number_of(*it, name);
}

Result<std::int64_t> whole_of(Fields const& value, std::string const& name, std::int64_t least,
                              std::int64_t most) {
    // A number that needs 64 bits without a sign would read as a negative one.
    bool const fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() ||
                       value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most));
    if (!fits || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most)
        return wrong_field(name, fmt::format("must be a whole number from {} to {}", least, most));
    return value.get<std::int64_t>();
}

Result<std::int64_t> whole_field(Fields const& fields, std::string const& name, std::int64_t most) {
    auto const it = fields.find(name);
    if (it == fields.end()) return wrong_field(name, "is missing");
    return whole_of(*it, name, 0, most);
}

}  // namespace sluice::app
