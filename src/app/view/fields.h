// Fields of a request, each checked when it is read; nothing of them is trusted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sluice/result.h"

namespace sluice::app {

using Fields = nlohmann::json;

/// Letters of a word (an op, a slot) and of a name (of a dataset) at most.
inline constexpr std::size_t max_word = 32, max_name = 256;

Error wrong_field(std::string const& field, std::string const& why);
Result<std::string> text_field(Fields const& fields, std::string const& name, std::size_t longest);
/// Coordinates and lengths lie within this about 0.
inline constexpr double max_coordinate = 1e6;
/// A number within max_coordinate about 0.
Result<double> number_of(Fields const& value, std::string const& name);
Result<double> number_field(Fields const& fields, std::string const& name);
/// A whole number from `least` to `most`.
Result<std::int64_t> whole_of(Fields const& value, std::string const& name, std::int64_t least,
                              std::int64_t most);
/// A whole number from 0 to `most`.
Result<std::int64_t> whole_field(Fields const& fields, std::string const& name, std::int64_t most);

}  // namespace sluice::app
