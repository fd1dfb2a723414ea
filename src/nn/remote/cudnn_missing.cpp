// A build without cuDNN's headers.
// SPDX-License-Identifier: Apache-2.0
#include "nn/remote/cudnn.h"

namespace sluice::nn {
namespace {

Error missing() {
    return {Code::unavailable, "this program was built without cuDNN's headers"};
}

}  // namespace

Result<std::string> cudnn_name() {
    return missing();
}

Result<std::unique_ptr<Convolver>> cudnn_convolver(Queue&, Products) {
    return missing();
}

}  // namespace sluice::nn
