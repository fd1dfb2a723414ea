// Convolutions by cuDNN, where this program was built with its headers and finds its library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nn/remote/convolver.h"

namespace sluice::nn {

/// Bytes of workspace that its algorithms may take.
inline constexpr index cudnn_workspace = index{256} << 20;

/// "cuDNN 9.13", or why it is not there. Opens the library, and asks no GPU.
Result<std::string> cudnn_name();

/// Of a queue on a GPU. In fp32 without TF32, and the same bits every time; shapes for which cuDNN
/// has no such algorithm become ours.
Result<std::unique_ptr<Convolver>> cudnn_convolver(Queue& queue);

}  // namespace sluice::nn
