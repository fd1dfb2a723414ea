// What a build without CUDA answers to a kernel meant for a GPU.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launch/map.h"

namespace sluice::launch {

template <Kernel K>
Status no_cuda(index, K const&) {
    return Error{Code::unavailable, "this build has no CUDA; use --device cpu"};
}

}  // namespace sluice::launch
