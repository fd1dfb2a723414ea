// Trapezoids of contours cut at the edges of pixels, and slabs at those of planes: all of it exact.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/structure_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "format/dicom/structures.h"

namespace sluice {
namespace dicom {
namespace {

// mm: no patient is that large.
constexpr double farthest = 1e6;

Error bad_structure(std::string text, Code code = Code::invalid_argument) {
    return {code, std::move(text)};
}

/// The area left of an edge that is at x0 below and at x1 above, for a height of 1: of the pixel
/// from 0 to 1.
double area_to(double x0, double x1) {
    auto const [a, b] = ordered(x0, x1);
    if (b <= 0) return 0;
    if (a >= 1) return 1;
    if (a >= 0 && b <= 1) return (a + b) / 2;
    // The integral of clamp(x, 0, 1) from a to b, over b - a.
    double const from = std::max(a, 0.0), to = std::min(b, 1.0);
    return ((to * to - from * from) / 2 + std::max(b - 1, 0.0)) / (b - a);
}

/// The contours of a plane in pixels: parts of a rectangle of these.
class Pixels {
  public:
    Pixels(index columns, index rows)
        : columns_(columns), rows_(rows), parts_(static_cast<std::size_t>(columns * rows)) {}

    Status fill(std::vector<Ring> const& rings) {
        std::ranges::fill(parts_, 0);
        double low = static_cast<double>(rows_), high = 0;
        for (Ring const& r : rings)
            for (auto const& p : r) low = std::min(low, p[1]), high = std::max(high, p[1]);
        from_ = std::clamp<index>(floor_of(low), 0, rows_);
        to_ = std::clamp<index>(floor_of(high) + 1, from_, rows_);
        std::vector<double> cuts;
        for (index r = from_; r <= to_; ++r) cuts.push_back(static_cast<double>(r));
        return cut_into_trapezoids(rings, cuts, [&](Trapezoid const& t) { add(t); });
    }
    index from() const { return from_; }
    index to() const { return to_; }
    double part(index row, index column) const {
        return parts_[static_cast<std::size_t>(row * columns_ + column)];
    }

  private:
    index columns_, rows_, from_ = 0, to_ = 0;
    std::vector<double> parts_;

    // Places beyond any grid are at its edge.
    static index floor_of(double v) {
        return static_cast<index>(std::floor(std::clamp(v, -1.0, 1e9)));
    }

    void add(Trapezoid const& t) {
        index const row = floor_of((t.y0 + t.y1) / 2);
        if (row < from_ || row >= to_) return;
        double* const to = parts_.data() + row * columns_;
        double const height = t.y1 - t.y0;
        index const first = std::max<index>(floor_of(std::min(t.from[0], t.from[1])), 0);
        index const last = std::min(floor_of(std::max(t.to[0], t.to[1])) + 1, columns_);
        for (index c = first; c < last; ++c) {
            auto const x = static_cast<double>(c);
            double const part =
                area_to(t.to[0] - x, t.to[1] - x) - area_to(t.from[0] - x, t.from[1] - x);
            to[c] += std::max(part, 0.0) * height;
        }
    }
};

/// Where a slab lies over the planes of a grid: the overlap of each, as a part of the plane.
double overlap(std::array<double, 2> const& slab, index plane) {
    auto const p = static_cast<double>(plane);
    return std::max(std::min(slab[1], p + 1) - std::max(slab[0], p), 0.0);
}

}  // namespace

Result<Stack> solid_of(Structure const& s) {
    if (s.contours.empty())
        return bad_structure(
            fmt::format("'{}' has no closed contours; choose another structure", s.name));
    for (Contour const& c : s.contours)
        for (auto const& p : c)
            if (!std::ranges::all_of(p, [](double v) { return std::abs(v) < farthest; }))
                return bad_structure(
                    fmt::format("'{}' has a corner whose place is no number of mm; export "
                                "the structures again",
                                s.name),
                    Code::corrupt);
    Stack stack = stack_of(s);
    Vector3 const& n = stack.axes[2];
    bool const straight = std::ranges::count(n, 0) == 2;
    for (Contour const& c : s.contours)
        for (auto const& p : c)
            if (!straight || std::abs(dot(p, n) - dot(c[0], n)) > 2 * same_plane)
                return bad_structure(
                    fmt::format("'{}' has contours in planes that are oblique in space, or "
                                "not parallel; resample its contours to axial ones",
                                s.name),
                    Code::unsupported);
    if (stack.slabs.size() < 2)
        return bad_structure(
            fmt::format("'{}' has contours in one plane only (how thick it is they do not "
                        "say) draw it in two neighbouring planes",
                        s.name));
    return stack;
}

Result<Array<float>> parts_in(Stack const& stack, Grid const& grid) {
    auto out = Array<float>::zeros({grid.sides[2], grid.sides[1], grid.sides[0]});
    Box const box = box_of(stack, grid);
    if (box.empty()) return out;
    Along const x = along(grid, stack.axes[0]), y = along(grid, stack.axes[1]),
                z = along(grid, stack.axes[2]);
    std::array<index, 3> const step{1, grid.sides[0], grid.sides[0] * grid.sides[1]};
    std::array<index, 2> const corner{box.first[x.axis], box.first[y.axis]};
    index const columns = box.last[x.axis] - corner[0], rows = box.last[y.axis] - corner[1];
    Pixels pixels(columns, rows);
    for (Slab const& s : stack.slabs) {
        auto const height = ordered(z(s.from), z(s.to));
        auto const [first, last] = touched(height, grid.sides[z.axis]);
        if (first == last) continue;
        std::vector<Ring> rings = s.rings;
        for (Ring& r : rings)
            for (auto& p : r)
                p = {x(p[0]) - static_cast<double>(corner[0]),
                     y(p[1]) - static_cast<double>(corner[1])};
        SLUICE_CHECK(pixels.fill(rings));
        for (index plane = first; plane < last; ++plane) {
            double const part = overlap(height, plane);
            float* const base = out.values.data() + plane * step[z.axis] +
                                corner[0] * step[x.axis] + corner[1] * step[y.axis];
            for (index r = pixels.from(); r < pixels.to(); ++r)
                for (index c = 0; c < columns; ++c)
                    base[r * step[y.axis] + c * step[x.axis]] +=
                        static_cast<float>(part * pixels.part(r, c));
        }
    }
    // What rounding adds to whole elements, and leaves of none.
    constexpr float least = 1e-6f;
    for (float& v : out.values) v = v < least ? 0 : v > 1 - least ? 1 : v;
    return out;
}

}  // namespace dicom

Result<StructureParts> structure_parts(Structure const& s, Volume const& volume) {
    SLUICE_TRY(dicom::Grid const grid, dicom::grid_of(volume));
    SLUICE_TRY(dicom::Stack const stack, dicom::solid_of(s));
    StructureParts out;
    SLUICE_TRY(out.parts, dicom::parts_in(stack, grid));
    out.volume_cm3 = volume_cm3(s);
    double elements = 0;
    for (float const part : out.parts.values) elements += static_cast<double>(part);
    constexpr double mm3_in_cm3 = 1000;
    out.inside_cm3 = elements * grid.spacing[0] * grid.spacing[1] * grid.spacing[2] / mm3_in_cm3;
    return out;
}

}  // namespace sluice
