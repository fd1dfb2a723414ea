// Names in, times out, a line each.
// SPDX-License-Identifier: Apache-2.0
#include "bench/serve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

namespace sluice::bench {

Status serve(std::vector<Contestant> const& all, Json ready, std::istream& in, std::ostream& out) {
    std::vector<std::string> names;
    for (Contestant const& who : all) {
        if (std::ranges::find(names, who.name) != names.end())
            return Error{Code::invalid_argument,
                         fmt::format("two jobs are called '{}', and --serve asks by name; give "
                                     "one detector or file at a time",
                                     who.name)};
        names.push_back(who.name);
    }
    ready["jobs"] = names;
    out << ready.dump() << std::endl;
    for (std::string name; std::getline(in, name);) {
        auto const who = std::ranges::find(all, name, &Contestant::name);
        if (who == all.end())
            return Error{Code::invalid_argument,
                         fmt::format("there is no job '{}' to run; there are {}", name,
                                     fmt::join(names, ", "))};
        if (who->prepare) SLUICE_CHECK(who->prepare());
        SLUICE_TRY(Lap const lap, who->run());
        out << Json{{"job", name}, {"seconds", lap.wall_s}, {"cpu_seconds", lap.cpu_s}}.dump()
            << std::endl;
    }
    return {};
}

}  // namespace sluice::bench
