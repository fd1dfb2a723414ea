// Halving for launch::map(), for each type that pixels of slides have.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/halve/halve.h"
#include "launch/kernels.h"

namespace sluice {

SLUICE_KERNEL(halve::Rows<std::uint8_t>)
SLUICE_KERNEL(halve::Rows<std::uint16_t>)
SLUICE_KERNEL(halve::Rows<std::int32_t>)
SLUICE_KERNEL(halve::Rows<float>)
SLUICE_KERNEL(halve::Rows<double>)

}  // namespace sluice
