// cuDNN where it is available, and the reason where it is not.
// SPDX-License-Identifier: Apache-2.0
#include "nn/remote/convolver.h"
#include "nn/remote/cudnn.h"

namespace sluice::nn {

Result<ChosenConvolver> choose_convolver(Queue& queue, Products products) {
    if (queue.device().kind() != Device::Kind::cuda) return ChosenConvolver{plain_convolver(), {}};
    auto theirs = cudnn_convolver(queue, products);
    if (!theirs) return ChosenConvolver{plain_convolver(), theirs.error().message};
    return ChosenConvolver{std::move(*theirs), {}};
}

index expected_convolver_bytes(Device const& device) {
    return device.kind() == Device::Kind::cuda && cudnn_name() ? cudnn_workspace : 0;
}

}  // namespace sluice::nn
