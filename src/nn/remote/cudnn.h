// Convolutions by cuDNN, where this program was built with its headers and finds its library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nn/remote/convolver.h"

namespace sluice::nn {

/// Bytes of workspace that its algorithms may take: those without tensor cores turn both maps into
/// the other order of dimensions, which is 385 MB for the largest convolution of InstVoc HQ.
inline constexpr index cudnn_workspace = index{512} << 20;

/// "cuDNN 9.13", or why it is not there. Opens the library, and asks no GPU.
Result<std::string> cudnn_name();

/// Of a queue on a GPU. The same bits every time; shapes for which cuDNN has no such algorithm
/// become ours.
Result<std::unique_ptr<Convolver>> cudnn_convolver(Queue& queue, Products products);

}  // namespace sluice::nn
