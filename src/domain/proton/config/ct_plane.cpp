// A plane out of an image, turned so that the beam goes along its rows' numbers.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/ct_plane.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sluice::proton {
namespace {

constexpr char names[] = "xyz";

// Elements, and steps between them in memory, along an axis.
struct Line {
    index count = 1, step = 0;
};
Line line_of(Volume const& v, int axis) {
    auto const& shape = v.image.shape;
    auto const place = shape.size() - 1 - static_cast<std::size_t>(axis);
    Line line{shape[place], 1};
    for (std::size_t i = place + 1; i < shape.size(); ++i) line.step *= shape[i];
    return line;
}

Error bad(std::string text) {
    return {Code::invalid_argument, std::move(text)};
}

/// The first element of the plane.
Result<index> slice_begin(Volume const& v, Axis depth, Axis across, std::optional<index> slice) {
    auto const axes = static_cast<int>(v.image.shape.size());
    for (Axis const a : {depth, across})
        if (a.number >= axes)
            return bad(fmt::format("the image has {} axes, and no axis {}", axes, names[a.number]));
    if (depth.number == across.number)
        return bad(fmt::format("depth_axis and across_axis are both {}; give two of the image's",
                               names[depth.number]));
    if (axes == 2) {
        if (slice) return bad("the image has two axes, and so no slices; leave ct.slice out");
        return index{0};
    }
    int const other = 3 - depth.number - across.number;
    Line const line = line_of(v, other);
    if (!slice && line.count > 1)
        return bad(fmt::format("the image has {} slices along {}; say which, as in slice = {}",
                               line.count, names[other], line.count / 2));
    index const number = slice.value_or(0);
    if (number < 0 || number >= line.count)
        return bad(fmt::format("there is no slice {} along {}; give 0 to {}", number, names[other],
                               line.count - 1));
    return number * line.step;
}

}  // namespace

Result<Axis> parse_axis(std::string_view text) {
    std::string_view rest = text;
    Axis a;
    a.reversed = rest.starts_with('-');
    if (a.reversed) rest.remove_prefix(1);
    if (rest.size() != 1 || rest[0] < 'x' || rest[0] > 'z')
        return bad(
            fmt::format("'{}' is not an axis; give x, y, z, or -x, -y, -z for its other "
                        "direction (x is a file's first axis, and an array's last)",
                        text));
    a.number = rest[0] - 'x';
    return a;
}

std::string axis_text(Axis axis) {
    return std::string(axis.reversed ? "-" : "") + static_cast<char>('x' + axis.number);
}

Result<CtPlane> ct_plane(Volume const& v, Axis depth, Axis across, std::optional<index> slice) {
    SLUICE_TRY(index const begin, slice_begin(v, depth, across, slice));
    Line const down = line_of(v, depth.number), along = line_of(v, across.number);
    CtPlane p{down.count, along.count, v.spacing[static_cast<std::size_t>(depth.number)],
              v.spacing[static_cast<std::size_t>(across.number)]};
    p.values.reserve(static_cast<std::size_t>(p.rows * p.columns));
    for (index k = 0; k < p.rows; ++k)
        for (index i = 0; i < p.columns; ++i) {
            index const row = depth.reversed ? p.rows - 1 - k : k;
            index const column = across.reversed ? p.columns - 1 - i : i;
            double const value = static_cast<double>(v.image.values[static_cast<std::size_t>(
                begin + row * down.step + column * along.step)]);
            if (!std::isfinite(value))
                return bad(fmt::format("the image is {} at {} = {}, {} = {}", value,
                                       names[depth.number], row, names[across.number], column));
            p.values.push_back(value);
        }
    return p;
}

double CtPlane::at(double z, double x) const {
    auto const place = [](double at, index count) {
        double const p = std::clamp(at, 0.0, static_cast<double>(count - 1));
        index const i = std::min(static_cast<index>(p), std::max<index>(count - 2, 0));
        return std::pair(i, p - static_cast<double>(i));
    };
    auto const [k, t] = place(z / dz - 0.5, rows);
    auto const [i, u] = place((x + width() / 2) / dx - 0.5, columns);
    auto const value = [&](index row, index column) {
        return values[static_cast<std::size_t>(std::min(row, rows - 1) * columns +
                                               std::min(column, columns - 1))];
    };
    // Where the weight is all on one pixel its own value comes out, to the last bit.
    auto const mix = [](double a, double b, double w) { return w == 0 ? a : a + w * (b - a); };
    return mix(mix(value(k, i), value(k, i + 1), u), mix(value(k + 1, i), value(k + 1, i + 1), u),
               t);
}

}  // namespace sluice::proton
