// Maps over a scan: which pixels are missing, in words.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/missing.h"

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

std::vector<Missing> missing_of(std::span<double const> values, Missing reason) {
    std::size_t missing = 0;
    for (double const v : values) missing += v != v;
    if (missing == 0) return {};
    std::vector<Missing> reasons(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != values[i]) reasons[i] = reason;
    return reasons;
}

ScanMap make_map(std::string name, std::string unit, Array<double> values, Missing reason) {
    std::vector<Missing> reasons = missing_of(values.values, reason);
    ScanMap map{std::move(values), std::move(name), std::move(unit)};
    map.reason = std::move(reasons);
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
