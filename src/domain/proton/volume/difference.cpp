// How two images differ, element by element of the first one.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "base/run.h"
#include "sluice/proton_volume.h"

namespace sluice::proton {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

/// The place of an element by its number in memory.
Place place_of(Lattice const& l, index element) {
    index const row = l.sides[0], plane = row * l.sides[1];
    return {l.middle(0, element % row), l.middle(1, element / row % l.sides[1]),
            l.middle(2, element / plane)};
}

/// The differences of one plane after the other.
struct Sum {
    Difference d;
    double total = 0, sizes = 0;
    index most = 0, least = 0;  // elements

    void add(double v, index element) {
        if (!std::isfinite(v)) return;
        ++d.points;
        total += v;
        sizes += std::abs(v);
        if (v > d.most) d.most = v, most = element;
        if (v < d.least) d.least = v, least = element;
    }
};

}  // namespace

Status comparable(Volume const& a, Volume const& b) {
    auto const refuse = [](std::string const& why) {
        return Error{Code::invalid_argument, "the two volumes do not lie in one space (" + why};
    };
    if (a.image.shape.size() != b.image.shape.size())
        return refuse("one has two axes and one has three); show each alone");
    for (Volume const* const v : {&a, &b})
        if (!is_straight(v->direction))
            return refuse("the axes of one are mirrored or oblique in space: " +
                          describe(v->direction, v->image.shape.size()) +
                          "); resample it to straight axes");
    if (a.spacing.empty() != b.spacing.empty())
        return refuse("one does not state its spacing); save it as .mha or .nrrd with its spacing");
    if (a.spacing.empty() && a.image.shape != b.image.shape)
        return refuse(
            "neither states its spacing, and their sizes differ); save them as .mha or "
            ".nrrd with their spacings");
    return {};
}

ValueRange value_range(Volume const& volume) {
    ValueRange r{infinite, -infinite};
    index most = 0, at = 0;
    for (float const v : volume.image.values) {
        if (!std::isfinite(v)) ++r.not_finite;
        if (std::isfinite(v) && v > r.most) r.most = v, most = at;
        if (std::isfinite(v) && v < r.least) r.least = v;
        ++at;
    }
    if (r.least > r.most) return {nothing, nothing, {}, r.not_finite};
    r.most_at = place_of(lattice_of(volume), most);
    return r;
}

Result<Difference> difference(Volume const& a, Volume const& b, Progress const& progress) {
    SLUICE_CHECK(comparable(a, b));
    Lattice const l = lattice_of(a);
    Sum sum{{.least = infinite, .most = -infinite}};
    float const* own = a.image.values.data();
    index element = 0;
    for (index z = 0; z < l.sides[2]; ++z) {
        SLUICE_CHECK(tell_progress(progress, static_cast<std::uint64_t>(z),
                                   static_cast<std::uint64_t>(l.sides[2])));
        auto const other = sample_plane(b, plane_of(l, 0, false, 1, false, l.middle(2, z)));
        for (float const v : other.values)
            sum.add(static_cast<double>(own[element]) - static_cast<double>(v), element), ++element;
    }
    Difference d = sum.d;
    if (d.points == 0) return Difference{0, nothing, nothing, nothing, nothing};
    auto const n = static_cast<double>(d.points);
    d.mean = sum.total / n;
    d.mean_size = sum.sizes / n;
    d.least_at = place_of(l, sum.least);
    d.most_at = place_of(l, sum.most);
    return d;
}

}  // namespace sluice::proton
