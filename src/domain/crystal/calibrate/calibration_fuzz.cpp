// Fuzz target: any bytes as a calibration; what is read is applied, and saved as it was read.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>

#include "sluice/crystal_calibration.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    int const file = ::memfd_create("calibration", 0);
    expects(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size));
    auto const c = stem4d::load_calibration(fmt::format("/proc/self/fd/{}", file));
    ::close(file);
    if (!c) {
        expects(!c.error().message.empty());
        return 0;
    }
    expects(std::isfinite(c->center().row) && c->pixel_size >= 0);
    if (c->distortion) expects(c->distortion->ratio() >= 1);
    if (c->scan_shape[0] * c->scan_shape[1] > 1000) return 0;
    stem4d::BraggVectors v;
    v.scan_shape = c->scan_shape, v.detector_shape = c->detector_shape;
    auto const n = static_cast<std::size_t>(v.patterns());
    v.first.assign(n + 1, 1), v.first[0] = 0;
    v.reason.assign(n, stem4d::DiskReason::found);
    for (auto* column : {&v.row, &v.col, &v.intensity, &v.background, &v.var_row, &v.var_col,
                         &v.cov_row_col, &v.intensity_error, &v.score})
        column->assign(1, 1.0F);
    auto applied = stem4d::apply_calibration(v, *c);
    expects(applied.has_value());
    expects(stem4d::remove_calibration(*std::move(applied)).row == v.row);
    return 0;
}
