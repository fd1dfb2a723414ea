// The functions of cuDNN that are called, out of a library that is opened when it is wanted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cudnn_graph.h>

#include <string>

#include "sluice/result.h"

namespace sluice::nn {

/// A table, so that tests have one of their own.
struct CudnnLibrary {
    decltype(&cudnnGetVersion) version = nullptr;
    decltype(&cudnnGetCudartVersion) cuda_version = nullptr;
    decltype(&cudnnGetErrorString) error_string = nullptr;
    decltype(&cudnnCreate) create = nullptr;
    decltype(&cudnnDestroy) destroy = nullptr;
    decltype(&cudnnSetStream) set_stream = nullptr;
    decltype(&cudnnBackendCreateDescriptor) create_descriptor = nullptr;
    decltype(&cudnnBackendDestroyDescriptor) destroy_descriptor = nullptr;
    decltype(&cudnnBackendSetAttribute) set_attribute = nullptr;
    decltype(&cudnnBackendGetAttribute) get_attribute = nullptr;
    decltype(&cudnnBackendFinalize) finalize = nullptr;
    decltype(&cudnnBackendExecute) execute = nullptr;

    /// "cuDNN 9.13"
    std::string name() const;
    Status check(cudnnStatus_t status, char const* what) const;
};

/// Opened once, and never closed. Error: it is not there, or another version.
Result<CudnnLibrary const*> cudnn_library();

}  // namespace sluice::nn
