// Places as people write them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/parse_places.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace sluice::stem4d {

Result<Disk> parse_disk(std::string const& text) {
    Disk d;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lf:%lf:%lf%c", &d.center.row, &d.center.col, &d.radius,
                    &rest) != 3 ||
        !std::isfinite(d.center.row) || !std::isfinite(d.center.col) || !(d.radius > 0) ||
        !std::isfinite(d.radius))
        return Error{
            Code::invalid_argument,
            fmt::format("--disk '{}' is not a disk; write ROW:COL:RADIUS, as in 96:95.5:20", text)};
    return d;
}

Result<Point> parse_center(std::string const& text) {
    Point p;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lf:%lf%c", &p.row, &p.col, &rest) != 2 ||
        !std::isfinite(p.row) || !std::isfinite(p.col))
        return Error{
            Code::invalid_argument,
            fmt::format("--center '{}' is not a centre; write ROW:COL, as in 96:95.5", text)};
    return p;
}

Result<std::array<index, 2>> parse_scan_point(std::string const& text) {
    long long row = -1, col = -1;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lld:%lld%c", &row, &col, &rest) != 2)
        return Error{Code::invalid_argument,
                     fmt::format("--at '{}' is not a point; write ROW:COL", text)};
    return std::array<index, 2>{row, col};
}

}  // namespace sluice::stem4d
