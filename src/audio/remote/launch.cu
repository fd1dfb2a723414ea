// The steps of short-time Fourier transforms for launch::map().
// SPDX-License-Identifier: Apache-2.0
#include "audio/remote/kernels.h"
#include "launch/kernels.h"

namespace sluice {

SLUICE_KERNEL(audio::CutFrames)
SLUICE_KERNEL(audio::AddFrames)

}  // namespace sluice
