// Refuses options that do not apply to what a command line names.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/given.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::cli {

Status refuse_others(std::vector<Verb::Given> const& given, std::span<std::string_view const> apply,
                     std::string_view what) {
    for (Verb::Given const& one : given)
        if (std::ranges::find(apply, one.option) == apply.end())
            return Error{
                Code::invalid_argument,
                fmt::format("{} (it does not apply to {}) leave it out", one.option, what)};
    return {};
}

}  // namespace sluice::cli
