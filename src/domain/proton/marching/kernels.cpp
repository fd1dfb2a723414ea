// The instruction set of the kernels.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/kernels.h"

#include "device/per_isa.h"
#include "domain/proton/marching/reference.h"

namespace sluice::proton::marching {

SLUICE_PER_ISA(Kernels<float>, kernels_f32)
SLUICE_PER_ISA(Kernels<double>, kernels_f64)

template <>
Kernels<float> const& kernels_of(Device const& device) {
    return device.kind() == Device::Kind::reference ? reference::kernels_f32()
                                                    : kernels_f32(device.isa());
}

template <>
Kernels<double> const& kernels_of(Device const& device) {
    return device.kind() == Device::Kind::reference ? reference::kernels_f64()
                                                    : kernels_f64(device.isa());
}

}  // namespace sluice::proton::marching
