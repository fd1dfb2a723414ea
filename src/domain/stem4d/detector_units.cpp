// Detectors in mrad or radii of the disk, as pixels.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sluice/stem4d.h"
#include "store/plan.h"

namespace sluice::stem4d {

using Unit = Detector::Unit;
using Shape = Detector::Shape;

bool needs_disk(Detector const& d) {
    bool const centred = d.shape == Shape::point || d.shape == Shape::disk ||
                         d.shape == Shape::annulus || d.shape == Shape::square;
    return d.unit == Unit::disk_radii || (centred && !d.center) ||
           (d.unit == Unit::mrad && d.shape == Shape::rectangle);
}

Result<Detector> in_pixels(Detector d, Scan const& scan, Disk const& disk) {
    if (d.unit == Unit::pixels) return d;
    double scale = disk.radius;
    if (d.unit == Unit::mrad) {
        double const step = scan.detector_step_mrad() / static_cast<double>(scan.plan().det_bin);
        if (!(step > 0))
            return Error{Code::invalid_argument,
                         fmt::format("detector '{}' is in mrad (the file does not state the angle "
                                     "of a detector pixel); give detector_step_mrad, or the "
                                     "detector in pixels",
                                     d.name),
                         scan.dataset().path};
        scale = 1 / step;
        if (d.shape == Shape::rectangle)
            for (Point* const corner : {&d.from, &d.to})
                *corner = {disk.center.row + corner->row / step,
                           disk.center.col + corner->col / step};
    }
    d.inner *= scale, d.outer *= scale;
    d.unit = Unit::pixels;
    return d;
}

}  // namespace sluice::stem4d
