// Texts of options out of JSON.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/option_tables.h"

namespace sluice::app {

Result<std::string> option_text(Fields const& value, std::string const& name) {
    if (value.is_boolean()) return std::string(value.get<bool>() ? "true" : "false");
    if (value.is_number()) {
        SLUICE_TRY(double const number, number_of(value, name));
        return config::value_text(number);
    }
    if (!value.is_string() || value.get_ref<std::string const&>().size() > max_word)
        return wrong_field(name, "must be a number, a word, true or false");
    return value.get<std::string>();
}

}  // namespace sluice::app
