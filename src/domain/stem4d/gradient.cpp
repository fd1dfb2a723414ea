// Divergence and curl of a field, by differences between neighbouring scan positions.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/gradient.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sluice::stem4d {
namespace {

using Image = View<double const, 2>;

// onto += scale * d image / d row (axis 0), or / d col (axis 1).
void add_derivative(Image image, int axis, double scale, Array<double>& onto) {
    index const rows = image.extent(0), cols = image.extent(1), n = image.extent(axis);
    if (n == 1) return;  // nothing varies along an axis of one position
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c) {
            index const i = axis == 0 ? r : c;
            index const before = i > 0 ? 1 : 0, after = i < n - 1 ? 1 : 0;
            double const change = axis == 0 ? image(r + after, c) - image(r - before, c)
                                            : image(r, c + after) - image(r, c - before);
            onto.values[static_cast<std::size_t>(r * cols + c)] +=
                scale * change / static_cast<double>(before + after);
        }
}

}  // namespace

Status check_field(Array<double> const& row, Array<double> const& col) {
    if (row.shape.size() == 2 && row.shape == col.shape && row.size() > 0 &&
        row.size() == row.shape[0] * row.shape[1] && col.size() == row.size())
        return {};
    return Error{
        Code::invalid_argument,
        fmt::format("{} and {} are not a field (its two components are images of one shape); "
                    "give two arrays [row][col]",
                    row.shape, col.shape)};
}

FieldMean mean_of(Array<double> const& row, Array<double> const& col) {
    FieldMean out;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
        if (!is_known(row.values[i], col.values[i])) continue;
        out.mean.row += row.values[i];
        out.mean.col += col.values[i];
        ++out.known;
    }
    double const n = static_cast<double>(std::max<index>(out.known, 1));
    out.mean.row /= n, out.mean.col /= n;
    return out;
}

Result<Array<double>> divergence(Array<double> const& row, Array<double> const& col) {
    SLUICE_CHECK(check_field(row, col));
    Array<double> out = Array<double>::zeros(row.shape);
    add_derivative(view<2>(row), 0, 1, out);
    add_derivative(view<2>(col), 1, 1, out);
    return out;
}

Result<Array<double>> curl(Array<double> const& row, Array<double> const& col) {
    SLUICE_CHECK(check_field(row, col));
    Array<double> out = Array<double>::zeros(row.shape);
    add_derivative(view<2>(col), 0, 1, out);
    add_derivative(view<2>(row), 1, -1, out);
    return out;
}

}  // namespace sluice::stem4d
