// Stands in for cuda.cu in a build without nvcc.
// SPDX-License-Identifier: Apache-2.0
#include "device/remote.h"

namespace sluice {

Result<RemoteDevice*> cuda_device() {
    return Error{Code::unavailable,
                 "this build has no CUDA (nvcc was not found); use --device cpu, or install the "
                 "CUDA toolkit and build again"};
}

}  // namespace sluice
