// A convolver on a given library, which tests bring along.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nn/remote/convolver.h"
#include "nn/remote/cudnn_library.h"

namespace sluice::nn {

/// The library must outlive it, and work on the queue's memory and stream.
Result<std::unique_ptr<Convolver>> cudnn_convolver(Queue& queue, CudnnLibrary const& library,
                                                   Products products, index workspace);

}  // namespace sluice::nn
