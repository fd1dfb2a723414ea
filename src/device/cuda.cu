// The CUDA device: memory and one stream of the first GPU.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include "device/remote.h"

namespace sluice {
namespace {

Error cuda_error(char const* what, cudaError_t e) {
    Code const code = e == cudaErrorMemoryAllocation ? Code::out_of_memory : Code::unavailable;
    return {code, std::string(what) + " (CUDA: " + cudaGetErrorString(e) +
                      "); use --device cpu, or free the GPU"};
}

class FirstGpu final : public RemoteDevice {
  public:
    Result<void*> allocate(std::size_t bytes) override {
        void* p = nullptr;
        if (auto e = cudaMalloc(&p, bytes ? bytes : 1); e != cudaSuccess)
            return cuda_error("no memory on the GPU", e);
        return p;
    }
    void release(void* memory) override { cudaFree(memory); }
    Status upload(void* to, Bytes from) override {
        auto e = cudaMemcpyAsync(to, from.data(), from.size(), cudaMemcpyHostToDevice);
        return e == cudaSuccess ? Status{} : cuda_error("copying to the GPU failed", e);
    }
    Status download(std::span<std::byte> to, void const* from) override {
        auto e = cudaMemcpyAsync(to.data(), from, to.size(), cudaMemcpyDeviceToHost);
        return e == cudaSuccess ? Status{} : cuda_error("copying from the GPU failed", e);
    }
    Status wait() override {
        auto e = cudaDeviceSynchronize();
        return e == cudaSuccess ? Status{} : cuda_error("the GPU's work failed", e);
    }
};

}  // namespace

Result<RemoteDevice*> cuda_device() {
    int count = 0;
    if (auto e = cudaGetDeviceCount(&count); e != cudaSuccess || count == 0)
        return Error{Code::unavailable, std::string("no CUDA device here (") +
                                            (e == cudaSuccess ? "no GPU" : cudaGetErrorString(e)) +
                                            "); use --device cpu"};
    static FirstGpu gpu;
    return static_cast<RemoteDevice*>(&gpu);
}

}  // namespace sluice
