// Names of reasons, and whether the columns of vectors agree.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/crystal/vectors/columns.h"

namespace sluice::stem4d {
namespace {

// So that the number of patterns cannot overflow.
constexpr index most_side = 1 << 24;

Error wrong(std::string const& why) {
    return {Code::invalid_argument,
            "Bragg vectors do not agree (" + why + "); give columns of one length"};
}

}  // namespace

std::string_view name_of(DiskReason reason) {
    switch (reason) {
        case DiskReason::found:
            return "found";
        case DiskReason::not_measured:
            return "not measured";
        case DiskReason::no_counts:
            return "no counts";
        case DiskReason::no_candidate:
            return "no candidate above the noise";
        case DiskReason::hot_pixels:
            return "hot pixels only";
        case DiskReason::below_score:
            return "below the least score";
        case DiskReason::not_converged:
            return "no fit converged";
        case DiskReason::off_detector:
            return "off the detector";
    }
    return "";
}

Status check_vectors(BraggVectors const& v) {
    SLUICE_CHECK(crystal::check_given_sides(v.scan_shape, v.detector_shape));
    if (std::ssize(v.first) != v.patterns() + 1 || std::ssize(v.reason) != v.patterns())
        return wrong(fmt::format("{} offsets and {} reasons for {} patterns", v.first.size(),
                                 v.reason.size(), v.patterns()));
    if (v.first.front() != 0 || v.first.back() != v.size() || !std::ranges::is_sorted(v.first))
        return wrong(fmt::format("the offsets do not lead from 0 to the {} disks", v.size()));
    for (auto const* column : {&v.col, &v.intensity, &v.background, &v.var_row, &v.var_col,
                               &v.cov_row_col, &v.intensity_error, &v.score})
        if (column->size() != v.row.size())
            return wrong(fmt::format("columns have {} and {} disks", v.row.size(), column->size()));
    return {};
}

}  // namespace sluice::stem4d

namespace sluice::crystal {

Status check_given_sides(std::array<index, 2> const& scan, std::array<index, 2> const& detector) {
    for (index n : {scan[0], scan[1], detector[0], detector[1]})
        if (n < 1 || n > stem4d::most_side)
            return stem4d::wrong(fmt::format("a side of {} of a scan or detector", n));
    return {};
}

}  // namespace sluice::crystal
