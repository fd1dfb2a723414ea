// CUDA devices: their memory, and streams with pinned memory to copy through. Without nvcc this is
// compiled as C++, and there are none.
// SPDX-License-Identifier: Apache-2.0
#include "device/backend.h"

#if defined(__CUDACC__)
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "device/staging.h"

namespace sluice {
namespace {

constexpr unsigned block_threads = 256;  // full occupancy needs no more registers than 64 a thread
constexpr index most_blocks = 65535;
constexpr std::size_t staging_bytes = std::size_t{8} << 20;

Error cuda_error(char const* what, cudaError_t e) {
    Code const code = e == cudaErrorMemoryAllocation ? Code::out_of_memory : Code::unavailable;
    return {code, std::string(what) + " (CUDA: " + cudaGetErrorString(e) +
                      "); use --device cpu, or free the GPU"};
}

Status check(cudaError_t e, char const* what) {
    return e == cudaSuccess ? Status{} : cuda_error(what, e);
}

/// A CUDA graph that was captured.
class GpuRecording final : public Recording {
  public:
    GpuRecording(int ordinal, cudaGraphExec_t graph) : ordinal_(ordinal), graph_(graph) {}
    GpuRecording(GpuRecording const&) = delete;
    ~GpuRecording() override {
        cudaSetDevice(ordinal_);
        cudaGraphExecDestroy(graph_);
    }
    cudaGraphExec_t graph() const { return graph_; }

  private:
    int ordinal_;
    cudaGraphExec_t graph_;
};

class GpuStream final : public Stream {
  public:
    GpuStream(int ordinal, cudaStream_t stream, std::span<std::byte> pinned)
        : ordinal_(ordinal), stream_(stream), pinned_(pinned), staging_(pinned) {}
    ~GpuStream() override {
        cudaSetDevice(ordinal_);
        cudaFreeHost(pinned_.data());
        cudaStreamDestroy(stream_);
    }
    Status upload(void* to, Bytes from) override {
        cudaSetDevice(ordinal_);
        void const* source = from.data();
        if (auto const room = staging_.room(from.size()); !room.empty()) {
            std::copy(from.begin(), from.end(), room.begin());
            source = room.data();
        }
        return check(cudaMemcpyAsync(to, source, from.size(), cudaMemcpyHostToDevice, stream_),
                     "copying to the GPU failed");
    }
    Status download(std::span<std::byte> to, void const* from) override {
        cudaSetDevice(ordinal_);
        void* target = to.data();
        auto const room = staging_.room(to.size());
        if (!room.empty()) target = room.data();
        SLUICE_CHECK(
            check(cudaMemcpyAsync(target, from, to.size(), cudaMemcpyDeviceToHost, stream_),
                  "copying from the GPU failed"));
        if (!room.empty()) staging_.expect(to, room);
        return {};
    }
    Status run(Work const& work) override {
        cudaSetDevice(ordinal_);
        index n = work.n;
        void* arguments[] = {&n, const_cast<std::byte*>(work.kernel.data())};
        dim3 const blocks(static_cast<unsigned>(
            std::min((n + block_threads - 1) / index{block_threads}, most_blocks)));
        return check(
            cudaLaunchKernel(work.grid, blocks, dim3(block_threads), arguments, 0, stream_),
            "the GPU refused a kernel");
    }
    Status wait() override {
        cudaSetDevice(ordinal_);
        auto const e = cudaStreamSynchronize(stream_);
        if (e == cudaSuccess)
            staging_.deliver();
        else
            staging_.clear();
        return check(e, "the GPU's work failed");
    }
    void abandon() override {
        cudaSetDevice(ordinal_);
        if (recording_) (void)end_recording();
        (void)cudaStreamSynchronize(stream_);
        staging_.clear();
    }
    Status begin_recording() override {
        cudaSetDevice(ordinal_);
        // Other threads may take memory meanwhile.
        SLUICE_CHECK(check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal),
                           "the GPU's work cannot be recorded"));
        recording_ = true;
        return {};
    }
    Result<std::unique_ptr<Recording const>> end_recording() override {
        cudaSetDevice(ordinal_);
        recording_ = false;
        cudaGraph_t graph = nullptr;
        auto e = cudaStreamEndCapture(stream_, &graph);
        cudaGraphExec_t made = nullptr;
        if (e == cudaSuccess) e = cudaGraphInstantiateWithFlags(&made, graph, 0);
        if (graph) cudaGraphDestroy(graph);
        if (e != cudaSuccess) {
            cudaGetLastError();  // or it would be found again by the next launch
            return cuda_error("the GPU's work cannot be recorded", e);
        }
        return std::unique_ptr<Recording const>(std::make_unique<GpuRecording>(ordinal_, made));
    }
    Status replay(Recording const& recording) override {
        cudaSetDevice(ordinal_);
        auto const& gpu = static_cast<GpuRecording const&>(recording);
        return check(cudaGraphLaunch(gpu.graph(), stream_), "the GPU refused a recording");
    }
    void* native() override {
        cudaSetDevice(ordinal_);
        return stream_;
    }

  private:
    int ordinal_;
    cudaStream_t stream_;
    std::span<std::byte> pinned_;
    Staging staging_;
    bool recording_ = false;
};

class Gpu final : public Backend {
  public:
    explicit Gpu(int ordinal) : ordinal_(ordinal) {}

    Result<std::unique_ptr<Stream>> open(Device const&) override {
        {
            std::lock_guard const lock(mutex_);
            if (!idle_.empty()) {
                auto stream = std::move(idle_.back());
                idle_.pop_back();
                return Result<std::unique_ptr<Stream>>(std::move(stream));
            }
        }
        cudaSetDevice(ordinal_);
        cudaStream_t stream = nullptr;
        SLUICE_CHECK(check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                           "the GPU refused a stream"));
        // Without it copies are slower.
        void* pinned = nullptr;
        std::size_t const bytes =
            cudaMallocHost(&pinned, staging_bytes) == cudaSuccess ? staging_bytes : 0;
        return std::unique_ptr<Stream>(std::make_unique<GpuStream>(
            ordinal_, stream, std::span(static_cast<std::byte*>(pinned), bytes)));
    }
    void close(std::unique_ptr<Stream> stream) override {
        std::lock_guard const lock(mutex_);
        idle_.push_back(std::move(stream));
    }
    std::optional<std::uint64_t> available() override {
        cudaSetDevice(ordinal_);
        std::size_t free = 0, all = 0;
        if (cudaMemGetInfo(&free, &all) != cudaSuccess) return 0;
        return free;
    }
    // cudaFree() waits for all work of the GPU.
    void release(void* memory) override {
        cudaSetDevice(ordinal_);
        cudaFree(memory);
    }

  protected:
    Result<void*> take(std::size_t bytes) override {
        cudaSetDevice(ordinal_);
        void* p = nullptr;
        if (auto const e = cudaMalloc(&p, bytes ? bytes : 1); e != cudaSuccess) {
            cudaGetLastError();  // or it would be found again by the next launch
            return cuda_error("no memory on the GPU", e);
        }
        return p;
    }

  private:
    int ordinal_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Stream>> idle_;
};

}  // namespace

Result<std::shared_ptr<Backend>> cuda_backend(int ordinal) {
    int count = 0;
    auto const e = cudaGetDeviceCount(&count);
    if (e != cudaSuccess || count == 0)
        return Error{Code::unavailable, std::string("no CUDA device here (") +
                                            (e == cudaSuccess ? "no GPU" : cudaGetErrorString(e)) +
                                            "); use --device cpu"};
    if (ordinal < 0 || ordinal >= count)
        return Error{Code::unavailable, "no device 'cuda:" + std::to_string(ordinal) +
                                            "' here (there are " + std::to_string(count) +
                                            " GPUs); use --device cuda"};
    static std::mutex mutex;
    static std::map<int, std::shared_ptr<Backend>> gpus;
    std::lock_guard const lock(mutex);
    auto& gpu = gpus[ordinal];
    if (!gpu) gpu = std::make_shared<Gpu>(ordinal);
    return gpu;
}

}  // namespace sluice

#else

namespace sluice {

Result<std::shared_ptr<Backend>> cuda_backend(int) {
    return Error{Code::unavailable,
                 "this build has no CUDA (nvcc was not found); use --device cpu, or install the "
                 "CUDA toolkit and build again"};
}

}  // namespace sluice

#endif
