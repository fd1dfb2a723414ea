// Origins: their names, and how they are filled.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/calibrate/origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::crystal {

using stem4d::OriginReason;
using stem4d::Origins;

Status check_origin_options(stem4d::OriginOptions const& o) {
    if (!(o.radius >= 0) || !std::isfinite(o.radius))
        return Error{
            Code::invalid_argument,
            fmt::format("a radius of {:g} px about the origin (0 or more can be)", o.radius)};
    if (o.guess && !std::isfinite(o.guess->row + o.guess->col))
        return Error{Code::invalid_argument,
                     "the place of the direct beam is not finite; give a row and a column"};
    return {};
}

Origins no_origins(std::array<index, 2> scan, OriginReason reason) {
    index const n = scan[0] * scan[1];
    auto const size = static_cast<std::size_t>(n);
    double const nan = std::numeric_limits<double>::quiet_NaN();
    Origins out;
    out.scan_shape = scan;
    out.values = {{n, 2}, std::vector<double>(2 * size, nan)};
    out.covariance = {{n, 3}, std::vector<double>(3 * size, nan)};
    out.reason.assign(size, reason);
    return out;
}

void put_origin(Origins& into, index pattern, stem4d::Point at,
                std::array<double, 3> const& covariance) {
    auto const p = static_cast<std::size_t>(pattern);
    into.values.values[2 * p] = at.row, into.values.values[2 * p + 1] = at.col;
    std::ranges::copy(covariance, into.covariance.values.begin() + 3 * pattern);
    into.reason[p] = OriginReason::measured;
}

index measured(Origins const& origins) {
    return std::ranges::count(origins.reason, OriginReason::measured);
}

}  // namespace sluice::crystal

namespace sluice::stem4d {

std::string_view name_of(OriginReason reason) {
    switch (reason) {
        case OriginReason::measured:
            return "measured";
        case OriginReason::no_disks:
            return "no disks";
        case OriginReason::not_near:
            return "no disk near the expected origin";
        case OriginReason::no_pairs:
            return "too few pairs of disks";
        case OriginReason::no_counts:
            return "no counts";
        case OriginReason::not_measured:
            return "not measured";
        case OriginReason::not_settled:
            return "the window did not come to rest";
        case OriginReason::off_detector:
            return "off the detector";
    }
    return "";
}

}  // namespace sluice::stem4d
