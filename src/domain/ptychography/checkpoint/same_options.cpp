// The options that decide about numbers.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/checkpoint/same_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace sluice::ptycho {

stem4d::SettingTexts named_options(stem4d::PtychographyOptions const& options) {
    // Options that decide only about time and memory, or about the end.
    constexpr std::string_view free[] = {"stop_early", "memory_limit", "checkpoint_every"};
    stem4d::SettingTexts all;
    for (auto& [name, value] : settings_of(options))
        if (std::ranges::find(free, name) == std::end(free)) all.emplace_back(name, value);
    for (std::size_t s = 0; s < options.stages.size(); ++s)
        for (auto const& [name, value] : settings_of(options.stages[s]))
            all.emplace_back(fmt::format("stage {} {}", s + 1, name), value);
    return all;
}

bool may_differ(std::string const& name, index stage) {
    index number = 0;
    if (std::sscanf(name.c_str(), "stage %td ", &number) != 1) return false;
    return number > stage + 1 || (number == stage + 1 && name.ends_with(" iterations"));
}

}  // namespace sluice::ptycho
