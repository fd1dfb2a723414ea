// The table of the dense mode.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/dense.h"

#include <numbers>

#include "domain/proton/config/fields.h"

namespace sluice::proton {

Status read_dense(Table dense, Config& c) {
    DenseOptions o;
    bool const has_window = dense.find("angle_window") != nullptr;
    SLUICE_CHECK(read_fields(dense, dense_fields(), o));
    // Only protons that turn back need all directions, for which the usual count is too few.
    constexpr double forward = 20 * std::numbers::pi / 180;
    if (!has_window && o.backward == Backward::reject) o.angle_window = forward;
    SLUICE_CHECK(dense.nothing_else());
    c.dense = o;
    return {};
}

}  // namespace sluice::proton
