// cuDNN where it can be had, and why not where it cannot.
// SPDX-License-Identifier: Apache-2.0
#include "nn/remote/convolver.h"
#include "nn/remote/cudnn.h"

namespace sluice::nn {

Result<ChosenConvolver> choose_convolver(Queue& queue) {
    auto ours = plain_convolver();
    std::string name = ours->name();
    if (queue.device().kind() != Device::Kind::cuda) return ChosenConvolver{std::move(ours), name};
    auto theirs = cudnn_convolver(queue);
    if (!theirs) return ChosenConvolver{std::move(ours), name + ": " + theirs.error().message};
    name = (*theirs)->name();
    return ChosenConvolver{std::move(*theirs), name};
}

index expected_convolver_bytes(Device const& device) {
    return device.kind() == Device::Kind::cuda && cudnn_name() ? cudnn_workspace : 0;
}

}  // namespace sluice::nn
