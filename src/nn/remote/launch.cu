// The functors of networks for launch::map().
// SPDX-License-Identifier: Apache-2.0
#include "launch/kernels.h"
#include "nn/remote/kernels.h"
#include "nn/remote/linear_kernels.h"

namespace sluice {

SLUICE_KERNEL(nn::NormaliseInto)
SLUICE_KERNEL(nn::AddTo)
SLUICE_KERNEL(nn::MultiplyBy)
SLUICE_KERNEL(nn::TallyPart)
SLUICE_KERNEL(nn::JoinTallies)
SLUICE_KERNEL(nn::AffineOf)
SLUICE_KERNEL(nn::Convolve)
SLUICE_KERNEL(nn::Grow)
SLUICE_KERNEL(nn::AlongWidth)

}  // namespace sluice
