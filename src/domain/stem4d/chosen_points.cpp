// Which scan points take part in a pattern.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/chosen_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sluice/stem4d_series.h"
#include "store/plan.h"

namespace sluice::stem4d {

Result<std::vector<std::uint8_t>> points_of(Array<float> const& plane, Scan const& scan,
                                            std::string const& file) {
    store::Plan const& plan = scan.plan();
    std::array<index, 2> const full = scan.dataset().scan;
    bool const whole = plane.shape[0] == full[0] && plane.shape[1] == full[1];
    if (!whole && (plane.shape[0] != plan.scan[0] || plane.shape[1] != plan.scan[1]))
        return Error{Code::invalid_argument,
                     fmt::format("a choice of {}x{} points (the scan has {}x{}, and {}x{} were "
                                 "read); give one of either shape",
                                 plane.shape[0], plane.shape[1], full[0], full[1], plan.scan[0],
                                 plan.scan[1]),
                     file};
    if (!std::ranges::all_of(plane.values, [](float v) { return std::isfinite(v); }))
        return Error{Code::invalid_argument,
                     "holds a value that is not finite (it does not tell whether that point takes "
                     "part); write 0 or 1 there",
                     file};
    std::vector<std::uint8_t> take;
    for (index f = 0; f < plan.frames(); ++f) {
        bool all = true;
        for (index part = 0; part < (whole ? plan.scan_bin * plan.scan_bin : 1); ++part)
            all =
                all &&
                plane.values[static_cast<std::size_t>(whole ? plan.stored_frame(f, part) : f)] != 0;
        take.push_back(all);
    }
    return take;
}

Result<std::vector<std::uint8_t>> only_point(Scan const& scan, std::array<index, 2> at) {
    SLUICE_TRY(auto const loaded, loaded_point(scan, at[0], at[1]));
    auto const shape = scan.scan_shape();
    std::vector<std::uint8_t> take(static_cast<std::size_t>(shape[0] * shape[1]));
    take[static_cast<std::size_t>(loaded[0] * shape[1] + loaded[1])] = 1;
    return take;
}

}  // namespace sluice::stem4d
