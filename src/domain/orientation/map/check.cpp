// check_orientations: whether the columns of a map agree.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/orientation/map/neighbours.h"

namespace sluice::stem4d {
namespace {

// Of a rotation; what is written with six digits is good enough.
constexpr double most_off_one = 1e-3;
constexpr double longest_map_side = 1 << 24;

Error no_map(std::string what) {
    return {Code::invalid_argument,
            fmt::format("{} (this is no orientation map) make it anew", what)};
}

bool is_rotation(Orientation const& q) {
    double const n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return std::abs(n - 1) < most_off_one;
}

Status check_columns(OrientationMap const& m) {
    auto const n = static_cast<std::size_t>(m.patterns());
    struct Column {
        char const* name;
        std::size_t size;
    };
    for (auto const& [name, size] : {Column{"reason", m.reason.size()},
                                     {"phase", m.phase.size()},
                                     {"orientation", m.orientation.size()},
                                     {"covariance", m.covariance.size()},
                                     {"score", m.score.size()},
                                     {"second_score", m.second_score.size()},
                                     {"residual", m.residual.size()},
                                     {"explained", m.explained.size()},
                                     {"disks", m.disks.size()},
                                     {"probability", m.probability.size()}})
        if (size != n)
            return no_map(
                fmt::format("{} has {} entries, and the scan {} patterns", name, size, n));
    return {};
}

}  // namespace

Status check_orientations(OrientationMap const& m) {
    for (index const side : m.scan_shape)
        if (!(side >= 1 && static_cast<double>(side) <= longest_map_side))
            return no_map(fmt::format("the scan has a side of {} patterns", side));
    SLUICE_CHECK(check_columns(m));
    if (!(m.step_nm >= 0) || !std::isfinite(m.step_nm))
        return no_map(fmt::format("the step is {:g} nm", m.step_nm));
    if (!(m.kilovolts >= 0) || !std::isfinite(m.kilovolts))
        return no_map(fmt::format("the electrons have {:g} kV", m.kilovolts));
    for (CrystalPhase const& phase : m.phases)
        if (phase.symmetry.rotations.empty() || phase.symmetry.rotations.size() > 24)
            return no_map(fmt::format("the phase '{}' has {} rotations", phase.name,
                                      phase.symmetry.rotations.size()));
    for (std::size_t p = 0; p < m.reason.size(); ++p) {
        if (static_cast<std::size_t>(m.reason[p]) >= orientation_reasons)
            return no_map(fmt::format("pattern {} has a reason of no meaning", p));
        if (m.phase[p] < -1 || m.phase[p] >= std::ssize(m.phases))
            return no_map(fmt::format("pattern {} has the phase {}", p, m.phase[p]));
        if (!orient::is_indexed(m, p)) continue;
        if (m.phase[p] < 0) return no_map(fmt::format("pattern {} is indexed without a phase", p));
        if (!is_rotation(m.orientation[p]))
            return no_map(fmt::format("pattern {} is indexed without a rotation", p));
    }
    for (OrientationMap const& under : m.overlapping) {
        if (under.scan_shape != m.scan_shape || under.phases.size() != m.phases.size())
            return no_map("a map of overlapping crystals has another shape or other phases");
        SLUICE_CHECK(check_orientations(under));
    }
    return {};
}

index indexed_patterns(OrientationMap const& map) {
    return std::ranges::count(map.reason, OrientationReason::indexed);
}

}  // namespace sluice::stem4d
