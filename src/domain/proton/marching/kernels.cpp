// The instruction set of the kernels, and what all of them share.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/kernels.h"

#include "device/per_isa.h"
#include "domain/proton/marching/reference.h"

namespace sluice::proton::marching {

std::array<double, 5> leaving_parts(double a) {
    // Lagrange's polynomials of the faces -3 .. 2, counted from the one things leave through.
    double l[6];
    for (int m = 0; m < 6; ++m) {
        l[m] = 1;
        for (int q = 0; q < 6; ++q)
            if (q != m) l[m] *= (-a - (q - 3)) / (m - q);
    }
    return {l[0], l[0] + l[1], l[0] + l[1] + l[2], -(l[4] + l[5]), -l[5]};
}

SLUICE_PER_ISA(Kernels<float>, kernels_f32)
SLUICE_PER_ISA(Kernels<double>, kernels_f64)

template <>
Kernels<float> const& kernels_of(Device const& device) {
    return table_for(device, reference::kernels_f32(), kernels_f32);
}

template <>
Kernels<double> const& kernels_of(Device const& device) {
    return table_for(device, reference::kernels_f64(), kernels_f64);
}

}  // namespace sluice::proton::marching
