// Where structures lie in the elements of a volume.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/structure_grid.h"

#include <algorithm>
#include <cmath>

namespace sluice::dicom {
namespace {

Error bad(std::string text, Code code = Code::invalid_argument) {
    return {code, std::move(text)};
}

}  // namespace

Along along(Grid const& g, Vector3 const& direction) {
    Along a;
    for (std::size_t k = 1; k < 3; ++k)
        if (std::abs(dot(g.direction[k], direction)) >
            std::abs(dot(g.direction[a.axis], direction)))
            a.axis = k;
    bool const forwards = dot(g.direction[a.axis], direction) > 0;
    a.step = forwards ? g.spacing[a.axis] : -g.spacing[a.axis];
    a.edge = dot(g.origin, direction) - a.step / 2;
    return a;
}

std::array<double, 2> ordered(double a, double b) {
    return {std::min(a, b), std::max(a, b)};
}

std::array<index, 2> touched(std::array<double, 2> const& stretch, index side) {
    auto const n = static_cast<double>(side);
    return {static_cast<index>(std::clamp(std::floor(stretch[0]), 0.0, n)),
            static_cast<index>(std::clamp(std::ceil(stretch[1]), 0.0, n))};
}

bool Box::empty() const {
    return elements() == 0;
}

index Box::elements() const {
    index n = 1;
    for (std::size_t a = 0; a < 3; ++a) n *= std::max<index>(last[a] - first[a], 0);
    return n;
}

Result<Grid> grid_of(Volume const& v) {
    if (v.image.shape.size() != 3)
        return bad("the volume has two axes; give one of three, as .dcm, .nrrd or .mha");
    if (v.spacing.size() != 3 || v.origin.size() != 3)
        return bad(
            "the volume does not state its spacing and origin (structures lie in mm) save it as "
            ".nrrd or "
            ".mha with both");
    if (is_oblique(v.direction))
        return bad("the axes of the volume are oblique in space: " + describe(v.direction, 3) +
                       "; resample it to straight ones",
                   Code::unsupported);
    Grid g{{v.image.shape[2], v.image.shape[1], v.image.shape[0]}, {}, {}, v.direction};
    std::copy_n(v.spacing.begin(), 3, g.spacing.begin());
    std::copy_n(v.origin.begin(), 3, g.origin.begin());
    return g;
}

Box box_of(Stack const& stack, Grid const& grid) {
    Vector3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (Slab const& s : stack.slabs) {
        low[2] = std::min(low[2], s.from);
        high[2] = std::max(high[2], s.to);
        for (Ring const& r : s.rings)
            for (auto const& p : r)
                for (std::size_t k = 0; k < 2; ++k)
                    low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
    }
    Box box;
    for (std::size_t k = 0; k < 3; ++k) {
        Along const a = along(grid, stack.axes[k]);
        auto const [first, last] = touched(ordered(a(low[k]), a(high[k])), grid.sides[a.axis]);
        box.first[a.axis] = first;
        box.last[a.axis] = last;
    }
    return box;
}

Grid cut(Grid const& grid, Box const& box, int pieces) {
    Grid g = grid;
    for (std::size_t a = 0; a < 3; ++a) {
        g.sides[a] = (box.last[a] - box.first[a]) * pieces;
        g.spacing[a] = grid.spacing[a] / pieces;
        double const first =
            (static_cast<double>(box.first[a]) - 0.5) * grid.spacing[a] + g.spacing[a] / 2;
        for (std::size_t k = 0; k < 3; ++k) g.origin[k] += first * grid.direction[a][k];
    }
    return g;
}

}  // namespace sluice::dicom
