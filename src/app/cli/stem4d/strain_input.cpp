// Reads the basis and the reference of `sluice stem4d strain`.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/strain_input.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "format/npy/plane.h"
#include "store/fields.h"

namespace sluice::cli {
namespace {

using stem4d::LatticeBasis;

LatticeBasis basis_of(Array<float> const& plane) {
    auto const at = [&](index row) {
        auto const i = static_cast<std::size_t>(2 * row);
        return stem4d::Point{plane.values[i], plane.values[i + 1]};
    };
    if (plane.shape[0] == 2) return {{}, at(0), at(1)};
    return {at(0), at(1), at(2)};
}

Status take_region(Region const& r, std::array<index, 2> scan, stem4d::StrainOptions& into) {
    if (r.rows < 1 || r.cols < 1 || r.row + r.rows > scan[0] || r.col + r.cols > scan[1])
        return Error{Code::invalid_argument,
                     fmt::format("the region of --reference, rows {}:{} and columns {}:{}, is not "
                                 "within the scan of {}x{} points; give one that is",
                                 r.row, r.row + r.rows, r.col, r.col + r.cols, scan[0], scan[1])};
    into.region.assign(static_cast<std::size_t>(scan[0] * scan[1]), 0);
    for (index row = r.row; row < r.row + r.rows; ++row)
        for (index col = r.col; col < r.col + r.cols; ++col)
            into.region[static_cast<std::size_t>(row * scan[1] + col)] = 1;
    return {};
}

Status take_file(std::string const& file, std::array<index, 2> scan, stem4d::StrainOptions& into) {
    SLUICE_TRY(Array<float> const plane, npy::load_plane(file));
    index const rows = plane.shape[0], cols = plane.shape[1];
    if (cols == 2 && (rows == 2 || rows == 3)) {
        into.reference = basis_of(plane);
        return {};
    }
    if (rows != scan[0] || cols != scan[1])
        return Error{
            Code::invalid_argument,
            fmt::format("holds {}x{} numbers (a reference is [3][2], the origin and two "
                        "vectors, or marks points of the scan of {}x{}); give one of these",
                        rows, cols, scan[0], scan[1]),
            file};
    for (float v : plane.values) into.region.push_back(v != 0);
    return {};
}

}  // namespace

Result<LatticeBasis> parse_basis(std::string const& text, std::array<index, 2> detector_shape) {
    LatticeBasis l;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lf:%lf,%lf:%lf%c", &l.a.row, &l.a.col, &l.b.row, &l.b.col,
                    &rest) != 4 ||
        !std::isfinite(l.a.row + l.a.col + l.b.row + l.b.col))
        return Error{
            Code::invalid_argument,
            fmt::format("--basis '{}' is no pair of vectors; write A_ROW:A_COL,B_ROW:B_COL "
                        "in pixels, as in 24.9:-2.1,1.4:27.7",
                        text)};
    l.origin = {static_cast<double>(detector_shape[0] - 1) / 2,
                static_cast<double>(detector_shape[1] - 1) / 2};
    return l;
}

Json basis_json(LatticeBasis const& l) {
    return {{"origin", {l.origin.row, l.origin.col}},
            {"a", {l.a.row, l.a.col}},
            {"b", {l.b.row, l.b.col}}};
}

Status read_reference(std::string const& text, std::array<index, 2> scan,
                      stem4d::StrainOptions& into) {
    if (text == "median") return {};
    if (text.ends_with(".npy")) return take_file(text, scan, into);
    Region region;
    if (!read_value({"--reference"}, text, region))
        return Error{
            Code::invalid_argument,
            fmt::format("--reference '{}' is not understood; write median, theory, a region "
                        "of the scan as in 0:20,0:64, or the name of an NPY file",
                        text)};
    return take_region(region, scan, into);
}

}  // namespace sluice::cli
