// judge(): all detectors, one after the other.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "domain/ptychography/judge/look.h"

namespace sluice::stem4d {

Result<std::vector<Finding>> judge(PtychographyResult const& result) {
    auto const& object = result.object.shape;
    auto const& probe = result.probe.shape;
    if (object.size() != 3 || probe.size() != 3 || probe[1] != probe[2] || probe[1] < 8 ||
        result.positions.empty() || result.object.size() != object[0] * object[1] * object[2] ||
        result.probe.size() != probe[0] * probe[1] * probe[2] || object[1] < probe[1] ||
        object[2] < probe[1])
        return Error{Code::invalid_argument,
                     "a result is an object [slice][row][col] that holds all windows, and a probe "
                     "[mode][row][col] of squares"};
    std::vector<Finding> findings;
    auto const add = [&](std::optional<Finding> finding) {
        if (finding) findings.push_back(std::move(*finding));
    };
    SLUICE_TRY(auto part, lit_part(result));
    index const side = std::min(part.rows, part.cols);
    if (side >= 16) {
        SLUICE_TRY(auto const look, ptycho::look_at(result, std::move(part)));
        if (side >= 48) {
            add(ptycho::find_scan_grid(look));
            add(ptycho::find_checkerboard(look));
            add(ptycho::find_ringing(look));
            add(ptycho::find_streaks(look));
        }
        add(ptycho::find_wraps(look));
        add(ptycho::find_low_contrast(look));
    }
    add(ptycho::find_misfit(result));
    add(ptycho::find_probe_drift(result));
    // The illumination of a near field is meant to reach its window's edge.
    if (result.propagation == Propagation::far) add(ptycho::find_probe_edge(result));
    add(ptycho::find_probe_power(result));
    return findings;
}

}  // namespace sluice::stem4d
