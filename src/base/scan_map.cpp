// Maps over a scan: which pixels are missing, in words.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/scan_map.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice {

std::string_view name_of(Missing reason) {
    switch (reason) {
        case Missing::no:
            return "measured";
        case Missing::not_measured:
            return "not measured";
        case Missing::masked:
            return "masked";
        case Missing::no_counts:
            return "no counts";
        case Missing::no_neighbour:
            return "no neighbour";
        case Missing::not_converged:
            return "not converged";
    }
    return "";
}

ScanMap make_map(std::string name, std::string unit, Array<double> values, Missing reason) {
    ScanMap map{std::move(values), std::move(name), std::move(unit)};
    for (std::size_t i = 0; i < map.values.size(); ++i) {
        if (map.values[i] == map.values[i]) continue;
        map.reason.resize(map.values.size());
        map.reason[i] = reason;
    }
    return map;
}

std::string describe_missing(ScanMap const& map) {
    std::string reasons;
    index all = 0;
    for (Missing const why : {Missing::not_measured, Missing::masked, Missing::no_counts,
                              Missing::no_neighbour, Missing::not_converged}) {
        index const n = std::ranges::count(map.reason, why);
        if (n > 0) reasons += fmt::format("{}{} {}", all > 0 ? ", " : "", n, name_of(why));
        all += n;
    }
    if (all == 0) return {};
    return fmt::format("{} of {} pixels have no value: {}", all, map.size(), reasons);
}

}  // namespace sluice
