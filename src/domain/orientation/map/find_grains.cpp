// find_grains: groups of neighbours that lie alike.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "domain/orientation/map/mean.h"
#include "domain/orientation/map/neighbours.h"
#include "sluice/orientation_grains.h"

namespace sluice::stem4d {
namespace {

using orient::is_indexed;

// Sets of patterns that are joined two by two; the first pattern of a set stands for it.
class Sets {
  public:
    explicit Sets(std::size_t n) : above_(n) {
        std::iota(above_.begin(), above_.end(), std::size_t{0});
    }
    std::size_t first(std::size_t p) {
        while (above_[p] != p) {
            above_[p] = above_[above_[p]];
            p = above_[p];
        }
        return p;
    }
    void join(std::size_t one, std::size_t two) {
        std::size_t const a = first(one), b = first(two);
        above_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<std::size_t> above_;
};

// The patterns of each set, in order; most patterns first.
std::vector<std::vector<std::size_t>> groups_of(OrientationMap const& map, double threshold) {
    Sets sets(map.reason.size());
    orient::each_pair(map, [&](std::size_t one, std::size_t two) {
        if (map.phase[one] == map.phase[two] && orient::between(map, one, two) < threshold)
            sets.join(one, two);
    });
    std::vector<std::vector<std::size_t>> by_first(map.reason.size());
    for (std::size_t p = 0; p < map.reason.size(); ++p)
        if (is_indexed(map, p)) by_first[sets.first(p)].push_back(p);
    std::erase_if(by_first, [](auto const& group) { return group.empty(); });
    std::ranges::stable_sort(by_first, std::ranges::greater{},
                             [](auto const& group) { return group.size(); });
    return by_first;
}

OrientationGrain grain_of(OrientationMap const& map, std::vector<std::size_t> const& patterns) {
    OrientationGrain out;
    out.phase = map.phase[patterns.front()];
    out.patterns = std::ssize(patterns);
    auto const& symmetry = map.phases[static_cast<std::size_t>(out.phase)].symmetry;
    std::vector<Orientation> all;
    for (std::size_t p : patterns) {
        all.push_back(map.orientation[p]);
        out.row += static_cast<double>(static_cast<index>(p) / map.scan_shape[1]);
        out.col += static_cast<double>(static_cast<index>(p) % map.scan_shape[1]);
    }
    auto const n = static_cast<double>(patterns.size());
    out.row /= n, out.col /= n;
    out.mean = orient::mean_of(all, symmetry);
    for (Orientation const& g : all) {
        double const off = disorientation(g, out.mean, symmetry);
        out.spread_degrees += off / n;
        out.farthest_degrees = std::max(out.farthest_degrees, off);
    }
    out.diameter_nm = 2 * map.step_nm * std::sqrt(n / std::numbers::pi);
    return out;
}

}  // namespace

Result<OrientationGrains> find_grains(OrientationMap const& map,
                                      OrientationGrainOptions const& options) {
    SLUICE_CHECK(check_orientations(map));
    if (!(options.threshold_degrees > 0 && options.threshold_degrees <= 180))
        return Error{Code::invalid_argument,
                     fmt::format("a threshold of {:g} degrees between grains (it is above 0 and up "
                                 "to 180); give another",
                                 options.threshold_degrees)};
    OrientationGrains out;
    out.scan_shape = map.scan_shape;
    out.grain.assign(map.reason.size(), -1);
    index small = 0, in_small = 0;
    for (auto const& patterns : groups_of(map, options.threshold_degrees)) {
        if (std::ssize(patterns) < options.least_patterns) {
            ++small, in_small += std::ssize(patterns);
            continue;
        }
        for (std::size_t p : patterns) out.grain[p] = static_cast<std::int32_t>(out.grains.size());
        out.grains.push_back(grain_of(map, patterns));
    }
    if (index const rest = map.patterns() - indexed_patterns(map); rest > 0)
        out.notes.push_back(fmt::format("{} of {} patterns are not indexed: they are in no grain",
                                        rest, map.patterns()));
    if (small > 0)
        out.notes.push_back(
            fmt::format("{} patterns are in {} groups of fewer than {}: they are "
                        "in no grain",
                        in_small, small, options.least_patterns));
    return out;
}

}  // namespace sluice::stem4d
