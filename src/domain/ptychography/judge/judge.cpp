// judge(): all detectors, one after the other.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/ptychography/judge/look.h"

namespace sluice::stem4d {

Result<std::vector<Judgement>> judge(PtychographyResult const& result) {
    SLUICE_TRY(auto part, lit_part(result));
    if (result.probe.shape[1] < 8)
        return Error{
            Code::invalid_argument,
            fmt::format("the probe has {} pixels a side (8 or more can be judged) give it as "
                        "it was found",
                        result.probe.shape[1])};
    std::vector<Judgement> findings;
    auto const add = [&](std::optional<Judgement> finding) {
        if (finding) findings.push_back(std::move(*finding));
    };
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
