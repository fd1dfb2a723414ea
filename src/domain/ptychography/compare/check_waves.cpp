// Shapes of an object and its probe, against their values and each other.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/compare/check_waves.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sluice::ptycho {

namespace {

bool filled(Array<std::complex<float>> const& array) {
    index count = 1;
    for (index const side : array.shape) {
        // Neither a side nor a product beyond the values: nothing overflows.
        if (side < 1 || side > array.size() || count > array.size()) return false;
        count *= side;
    }
    return array.shape.size() == 3 && count == array.size();
}

}  // namespace

Status check_waves(stem4d::PtychographyResult const& result) {
    auto const& object = result.object.shape;
    auto const& probe = result.probe.shape;
    if (filled(result.object) && filled(result.probe) && probe[1] == probe[2] &&
        object[1] >= probe[1] && object[2] >= probe[1])
        return {};
    return Error{Code::invalid_argument,
                 fmt::format("the object has the shape {} and {} values, the probe {} and {} (an "
                             "object is [slice][row][col] and holds all windows, a probe is "
                             "[mode][row][col] with squares) give both as they were found",
                             fmt::join(object, "x"), result.object.size(), fmt::join(probe, "x"),
                             result.probe.size())};
}

}  // namespace sluice::ptycho
