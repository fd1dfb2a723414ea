// Checks the options and phases of a library.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/library/check.h"

#include <fmt/format.h>

#include <set>

#include "domain/orientation/library/fields.h"

namespace sluice::orient {
namespace {

Error refused(std::string text) {
    return {Code::invalid_argument, std::move(text)};
}

}  // namespace

std::string phase_name(std::span<stem4d::UnitCell const> phases, index phase) {
    std::string const& name = phases[static_cast<std::size_t>(phase)].name;
    return name.empty() ? fmt::format("phase {}", phase + 1) : name;
}

Status check_library(std::span<stem4d::UnitCell const> phases,
                     stem4d::LibraryOptions const& options) {
    if (phases.empty()) return refused("the library has no phase; give the CIF of one or more");
    std::set<std::string> names;
    for (index p = 0; p < std::ssize(phases); ++p)
        if (auto const name = phase_name(phases, p); !names.insert(name).second)
            return refused(
                fmt::format("two phases have the name {} (results could not tell them apart) "
                            "rename one, or give it once",
                            name));
    if (options.kilovolts == 0)
        return refused(
            "the voltage is not known (it decides which reflections are excited) give kilovolts, "
            "as 300");
    return config::check_fields(options, stem4d::library_fields());
}

}  // namespace sluice::orient
