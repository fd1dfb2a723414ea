// Layers by cuDNN: a plan for each shape, and ours where it has none.
// SPDX-License-Identifier: Apache-2.0
#include "nn/remote/cudnn_convolver.h"

#include <fmt/format.h>

#include "device/place.h"
#include "launch/map.h"
#include "nn/remote/cudnn.h"
#include "nn/remote/cudnn_plan.h"
#include "nn/remote/kernels.h"

namespace sluice::nn {
namespace {

/// What all operators of a queue share.
struct Session {
    explicit Session(CudnnLibrary const& l) : library(l) {}
    Session(Session const&) = delete;
    ~Session() {
        if (handle) library.destroy(handle);
    }
    CudnnLibrary const& library;
    cudnnHandle_t handle = nullptr;
    Place<std::byte> workspace;
};

class Planned final : public RemoteOperator {
  public:
    Planned(std::shared_ptr<Session const> session, std::unique_ptr<CudnnPlan> plan,
            Shape const& shape, bool add, float const* weights)
        : session_(std::move(session)),
          plan_(std::move(plan)),
          s_(shape),
          add_(add),
          weights_(weights) {}

    std::vector<float> arranged(std::span<float const> weights) const override {
        return cudnn_arranged(s_, weights);
    }
    // Not every algorithm adds to what is there.
    Status run(Queue& queue, float const* x, float* y, float* scratch) const override {
        SLUICE_CHECK(plan_->run(x, weights_, add_ ? scratch : y, session_->workspace.data()));
        if (!add_) return {};
        return launch::map(queue, s_.rows_out() * s_.width_out() * s_.out, AddTo{scratch, y});
    }
    std::string name() const override { return "cuDNN"; }

  private:
    std::shared_ptr<Session const> session_;
    std::unique_ptr<CudnnPlan> plan_;
    Shape s_;
    bool add_;
    float const* weights_;
};

class Cudnn final : public Convolver {
  public:
    Cudnn(std::shared_ptr<Session const> session, Products products)
        : session_(std::move(session)), products_(products) {}

    Result<std::unique_ptr<RemoteOperator>> make(Shape const& shape, bool add,
                                                 float const* weights) override {
        ++all_;
        auto plan = CudnnPlan::make(session_->library, session_->handle, cudnn_task(shape),
                                    products_, session_->workspace.count());
        if (plan)
            return std::unique_ptr<RemoteOperator>(
                std::make_unique<Planned>(session_, std::move(*plan), shape, add, weights));
        ++ours_;
        return plain_convolver()->make(shape, add, weights);
    }
    index bytes() const override { return static_cast<index>(session_->workspace.bytes()); }
    Products products() const override { return products_; }
    std::string name() const override {
        std::string name = session_->library.name();
        if (ours_ > 0) name += fmt::format(", {} of {} layers are ours", ours_, all_);
        return name;
    }

  private:
    std::shared_ptr<Session const> session_;
    Products products_;
    int all_ = 0, ours_ = 0;
};

}  // namespace

Result<std::unique_ptr<Convolver>> cudnn_convolver(Queue& queue, CudnnLibrary const& library,
                                                   Products products, index workspace) {
    auto session = std::make_shared<Session>(library);
    // Makes the GPU the current one, which the handle will be of.
    auto* const stream = static_cast<cudaStream_t>(queue.native());
    SLUICE_CHECK(library.check(library.create(&session->handle), "does not start"));
    SLUICE_CHECK(library.check(library.set_stream(session->handle, stream), "refuses a stream"));
    SLUICE_TRY(session->workspace, Place<std::byte>::make(queue, workspace));
    return std::unique_ptr<Convolver>(std::make_unique<Cudnn>(std::move(session), products));
}

Result<std::string> cudnn_name() {
    SLUICE_TRY(CudnnLibrary const* const library, cudnn_library());
    return library->name();
}

Result<std::unique_ptr<Convolver>> cudnn_convolver(Queue& queue, Products products) {
    SLUICE_TRY(CudnnLibrary const* const library, cudnn_library());
    return cudnn_convolver(queue, *library, products, cudnn_workspace);
}

}  // namespace sluice::nn
