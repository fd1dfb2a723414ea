// CudnnPlan: a convolution as cuDNN's backend describes and executes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nn/remote/convolver.h"
#include "nn/remote/cudnn_library.h"

namespace sluice::nn {

/// A descriptor that owns itself. After an error, the first one, nothing more is done.
class CudnnDescriptor {
  public:
    CudnnDescriptor(CudnnLibrary const& library, cudnnBackendDescriptorType_t type);
    CudnnDescriptor(CudnnDescriptor const&) = delete;
    CudnnDescriptor& operator=(CudnnDescriptor const&) = delete;
    ~CudnnDescriptor();

    template <class T>
    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
             std::span<T const> values) {
        set(name, type, static_cast<std::int64_t>(values.size()), values.data());
    }
    template <class T>
    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, T const& value) {
        set(name, type, 1, &value);
    }
    void set(cudnnBackendAttributeName_t name, CudnnDescriptor const& of) {
        set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &of.raw_);
    }
    Status finalize();

    cudnnBackendDescriptor_t const& raw() const { return raw_; }
    Status const& status() const { return status_; }

  private:
    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
             void const* values);

    CudnnLibrary const& library_;
    cudnnBackendDescriptor_t raw_ = nullptr;
    Status status_;
};

/// A tensor of four dimensions in cuDNN's order: of a batch, channel, row, column; for weights
/// output channel, input channel, row, column.
struct CudnnTensor {
    std::array<std::int64_t, 4> dims, strides;
};

/// A layer as a convolution, or as the way back of one's data.
struct CudnnTask {
    CudnnTensor x, weights, y;
    std::array<std::int64_t, 2> pad = {0, 0}, step = {1, 1};
    bool transposed = false;
};
CudnnTask cudnn_task(Shape const& shape);
/// PyTorch's weights in the order of cudnn_task().weights.
std::vector<float> cudnn_arranged(Shape const& shape, std::span<float const> weights);

/// The operation with its tensors; all of them must live while it is used.
class CudnnOperation {
  public:
    static Result<std::unique_ptr<CudnnOperation>> make(CudnnLibrary const& library,
                                                        CudnnTask const& task);
    CudnnDescriptor const& descriptor() const { return *all_.back(); }

  private:
    std::vector<std::unique_ptr<CudnnDescriptor>> all_;
};

class CudnnPlan {
  public:
    /// The first algorithm that cuDNN proposes with such products that gives the same bits each
    /// time and needs no more workspace than `most`. Error: there is none.
    static Result<std::unique_ptr<CudnnPlan>> make(CudnnLibrary const& library,
                                                   cudnnHandle_t handle, CudnnTask const& task,
                                                   Products products, std::int64_t most);
    Status run(float const* x, float const* weights, float* y, void* workspace) const;

  private:
    CudnnPlan(CudnnLibrary const& library, cudnnHandle_t handle, Products products)
        : library_(library), handle_(handle), products_(products) {}
    Status find(std::int64_t most);
    Status try_configs(cudnnBackendHeurMode_t mode, std::int64_t most);
    bool allowed(CudnnDescriptor const& config) const;
    bool take(CudnnDescriptor const& config, std::int64_t most);

    CudnnLibrary const& library_;
    cudnnHandle_t handle_;
    Products products_;
    std::unique_ptr<CudnnOperation> operation_;
    std::optional<CudnnDescriptor> graph_;
    std::vector<std::unique_ptr<CudnnDescriptor>> kept_;  ///< what the plan was made of
    std::unique_ptr<CudnnDescriptor> plan_;
};

}  // namespace sluice::nn
