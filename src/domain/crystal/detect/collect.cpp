// Collects the disks of patterns into columns.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/collect.h"

namespace sluice::crystal {

stem4d::BraggVectors collect(std::span<FoundPattern const> patterns,
                             std::array<index, 2> scan_shape, std::array<index, 2> detector_shape,
                             stem4d::PixelGrid const& grid) {
    expects(std::ssize(patterns) == scan_shape[0] * scan_shape[1]);
    stem4d::BraggVectors v;
    v.scan_shape = scan_shape;
    v.detector_shape = detector_shape;
    v.first.push_back(0);
    for (FoundPattern const& p : patterns) {
        v.first.push_back(v.first.back() + std::ssize(p.disks));
        v.reason.push_back(p.reason);
    }
    auto const all = static_cast<std::size_t>(v.first.back());
    for (auto* column : {&v.row, &v.col, &v.intensity, &v.background, &v.var_row, &v.var_col,
                         &v.cov_row_col, &v.intensity_error, &v.score})
        column->reserve(all);
    auto const area = static_cast<float>(grid.bin * grid.bin);
    for (FoundPattern const& p : patterns)
        for (FoundDisk const& d : p.disks) {
            auto const at =
                grid.to_detector({static_cast<double>(d.row), static_cast<double>(d.col)});
            v.row.push_back(static_cast<float>(at.row));
            v.col.push_back(static_cast<float>(at.col));
            v.intensity.push_back(d.intensity);
            v.background.push_back(d.background);
            v.var_row.push_back(d.var_row * area);
            v.var_col.push_back(d.var_col * area);
            v.cov_row_col.push_back(d.cov * area);
            v.intensity_error.push_back(d.intensity_error);
            v.score.push_back(d.score);
        }
    return v;
}

}  // namespace sluice::crystal
