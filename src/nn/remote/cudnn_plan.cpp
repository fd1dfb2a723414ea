// Descriptors of cuDNN's backend: tensors, the convolution, a graph of one operation, a plan.
// SPDX-License-Identifier: Apache-2.0
#include "nn/remote/cudnn_plan.h"

#include <algorithm>

namespace sluice::nn {
namespace {

constexpr std::int64_t id_x = 1, id_weights = 2, id_y = 3;
constexpr std::int64_t alignment = 16;

CudnnTensor channels_last(std::int64_t outer, std::int64_t channels, std::int64_t rows,
                          std::int64_t columns) {
    return {{outer, channels, rows, columns},
            {rows * columns * channels, 1, columns * channels, channels}};
}

// A layer along the width is a convolution of 1x1 whose channels are the places along the width,
// in the old order of dimensions, and whose columns are our channels.
CudnnTask along_width(Shape const& s) {
    auto const tensor = [&](std::int64_t places) {
        return CudnnTensor{{s.rows, places, 1, s.in}, {places * s.in, s.in, s.in, 1}};
    };
    return {.x = tensor(s.width),
            .weights = {{s.across, s.width, 1, 1}, {s.width, 1, 1, 1}},
            .y = tensor(s.across)};
}

std::array<std::int64_t, 2> size_of(Shape const& s) {
    if (s.kind == Kind::square) return {3, 3};
    return {s.scale[0], s.scale[1]};
}

}  // namespace

CudnnDescriptor::CudnnDescriptor(CudnnLibrary const& library, cudnnBackendDescriptorType_t type)
    : library_(library) {
    status_ = library_.check(library_.create_descriptor(type, &raw_), "has no descriptor");
}

CudnnDescriptor::~CudnnDescriptor() {
    if (raw_) library_.destroy_descriptor(raw_);
}

void CudnnDescriptor::set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                          std::int64_t count, void const* values) {
    if (!status_) return;
    status_ = library_.check(library_.set_attribute(raw_, name, type, count, values),
                             "refuses an attribute");
}

Status CudnnDescriptor::finalize() {
    if (status_) status_ = library_.check(library_.finalize(raw_), "refuses a descriptor");
    return status_;
}

CudnnTask cudnn_task(Shape const& s) {
    if (s.kind == Kind::along_width) return along_width(s);
    CudnnTensor const x = channels_last(1, s.in, s.rows_in(), s.width);
    CudnnTensor const y = channels_last(1, s.out, s.rows_out(), s.width_out());
    auto const [high, wide] = size_of(s);
    if (s.kind == Kind::grow)
        return {x, channels_last(s.in, s.out, high, wide), y, {0, 0}, {high, wide}, true};
    CudnnTask task{x, channels_last(s.out, s.in, high, wide), y};
    task.pad = {s.halo(), s.halo()};
    if (s.kind == Kind::shrink) task.step = {high, wide};
    return task;
}

std::vector<float> cudnn_arranged(Shape const& s, std::span<float const> weights) {
    if (s.kind == Kind::along_width) return {weights.begin(), weights.end()};
    CudnnTensor const t = cudnn_task(s).weights;
    index const outer = t.dims[0], inner = t.dims[1], area = t.dims[2] * t.dims[3];
    std::vector<float> out(weights.size());
    for (index o = 0; o < outer; ++o)
        for (index i = 0; i < inner; ++i)
            for (index a = 0; a < area; ++a)
                out[static_cast<std::size_t>((o * area + a) * inner + i)] =
                    weights[static_cast<std::size_t>((o * inner + i) * area + a)];
    return out;
}

Result<std::unique_ptr<CudnnOperation>> CudnnOperation::make(CudnnLibrary const& library,
                                                             CudnnTask const& task) {
    auto operation = std::make_unique<CudnnOperation>();
    auto const add = [&](cudnnBackendDescriptorType_t type) -> CudnnDescriptor& {
        operation->all_.push_back(std::make_unique<CudnnDescriptor>(library, type));
        return *operation->all_.back();
    };
    auto const tensor = [&](CudnnTensor const& t, std::int64_t id) -> Result<CudnnDescriptor*> {
        CudnnDescriptor& d = add(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
        d.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
        d.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, std::span(t.dims.data(), 4));
        d.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, std::span(t.strides.data(), 4));
        d.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, id);
        d.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, alignment);
        SLUICE_CHECK(d.finalize());
        return &d;
    };
    SLUICE_TRY(CudnnDescriptor const* const x, tensor(task.x, id_x));
    SLUICE_TRY(CudnnDescriptor const* const w, tensor(task.weights, id_weights));
    SLUICE_TRY(CudnnDescriptor const* const y, tensor(task.y, id_y));

    CudnnDescriptor& how = add(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    std::array<std::int64_t, 2> const dense = {1, 1};
    std::int64_t const dimensions = 2;
    how.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    how.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION);
    how.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, dimensions);
    auto const both = [&](cudnnBackendAttributeName_t name,
                          std::array<std::int64_t, 2> const& values) {
        how.set(name, CUDNN_TYPE_INT64, std::span(values.data(), 2));
    };
    both(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, task.pad);
    both(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, task.pad);
    both(CUDNN_ATTR_CONVOLUTION_DILATIONS, dense);
    both(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, task.step);
    SLUICE_CHECK(how.finalize());

    float const one = 1, zero = 0;
    if (task.transposed) {
        CudnnDescriptor& o = add(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR);
        o.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, how);
        o.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, *x);
        o.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, *w);
        o.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, *y);
        o.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, CUDNN_TYPE_FLOAT, one);
        o.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, CUDNN_TYPE_FLOAT, zero);
        SLUICE_CHECK(o.finalize());
    } else {
        CudnnDescriptor& o = add(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
        o.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, how);
        o.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, *x);
        o.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, *w);
        o.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, *y);
        o.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, one);
        o.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, zero);
        SLUICE_CHECK(o.finalize());
    }
    return operation;
}

Result<std::unique_ptr<CudnnPlan>> CudnnPlan::make(CudnnLibrary const& library,
                                                   cudnnHandle_t handle, CudnnTask const& task,
                                                   Products products, std::int64_t most) {
    std::unique_ptr<CudnnPlan> p(new CudnnPlan(library, handle, products));
    SLUICE_TRY(p->operation_, CudnnOperation::make(library, task));
    p->graph_.emplace(library, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    p->graph_->set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle);
    p->graph_->set(CUDNN_ATTR_OPERATIONGRAPH_OPS, p->operation_->descriptor());
    SLUICE_CHECK(p->graph_->finalize());
    SLUICE_CHECK(p->find(most));
    return p;
}

Status CudnnPlan::find(std::int64_t most) {
    for (auto const mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
        // A mode that knows nothing of an operation may say so by an error.
        if (Status const tried = try_configs(mode, most); tried && plan_) return {};
    }
    return Error{Code::unavailable, "cuDNN has no algorithm for a convolution"};
}

Status CudnnPlan::try_configs(cudnnBackendHeurMode_t mode, std::int64_t most) {
    CudnnDescriptor heuristic(library_, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristic.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, *graph_);
    heuristic.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
    SLUICE_CHECK(heuristic.finalize());
    std::int64_t count = 0;
    SLUICE_CHECK(
        library_.check(library_.get_attribute(heuristic.raw(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                              CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count, nullptr),
                       "proposes nothing"));
    std::vector<std::unique_ptr<CudnnDescriptor>> configs;
    std::vector<cudnnBackendDescriptor_t> raw;
    for (std::int64_t i = 0; i < count; ++i) {
        configs.push_back(
            std::make_unique<CudnnDescriptor>(library_, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
        SLUICE_CHECK(configs.back()->status());
        raw.push_back(configs.back()->raw());
    }
    std::int64_t found = 0;
    SLUICE_CHECK(library_.check(
        library_.get_attribute(heuristic.raw(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                               CUDNN_TYPE_BACKEND_DESCRIPTOR, count, &found, raw.data()),
        "proposes nothing"));
    for (std::int64_t i = 0; i < std::min(count, found); ++i) {
        auto& config = configs[static_cast<std::size_t>(i)];
        if (!allowed(*config) || !take(*config, most)) continue;
        kept_.push_back(std::move(config));
        return {};
    }
    return {};
}

// Tensor cores round the floats that they multiply to TF32.
bool CudnnPlan::allowed(CudnnDescriptor const& config) const {
    CudnnDescriptor const engine(library_, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    cudnnBackendDescriptor_t raw = engine.raw();
    std::int64_t count = 0;
    if (!engine.status() || library_.get_attribute(config.raw(), CUDNN_ATTR_ENGINECFG_ENGINE,
                                                   CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count,
                                                   &raw) != CUDNN_STATUS_SUCCESS)
        return false;
    // A newer library may have more notes than the headers.
    std::array<cudnnBackendNumericalNote_t, 64> notes{};
    if (library_.get_attribute(raw, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                               std::ssize(notes), &count, notes.data()) != CUDNN_STATUS_SUCCESS)
        return false;
    auto const end = notes.begin() + std::min<std::int64_t>(count, std::ssize(notes));
    bool const rounds = products_ == Products::tf32;
    return std::none_of(notes.begin(), end, [rounds](cudnnBackendNumericalNote_t note) {
        return note == CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION ||
               note == CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC ||
               (!rounds && (note == CUDNN_NUMERICAL_NOTE_TENSOR_CORE ||
                            note == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS));
    });
}

bool CudnnPlan::take(CudnnDescriptor const& config, std::int64_t most) {
    auto plan =
        std::make_unique<CudnnDescriptor>(library_, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    plan->set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, handle_);
    plan->set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
    if (!plan->finalize()) return false;
    std::int64_t workspace = 0, count = 0;
    if (library_.get_attribute(plan->raw(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                               CUDNN_TYPE_INT64, 1, &count, &workspace) != CUDNN_STATUS_SUCCESS ||
        workspace > most)
        return false;
    plan_ = std::move(plan);
    return true;
}

Status CudnnPlan::run(float const* x, float const* weights, float* y, void* workspace) const {
    std::array<void const*, 3> const pointers = {x, weights, y};
    std::array<std::int64_t, 3> const ids = {id_x, id_weights, id_y};
    CudnnDescriptor pack(library_, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
             std::span(pointers.data(), 3));
    pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, std::span(ids.data(), 3));
    pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace);
    SLUICE_CHECK(pack.finalize());
    return library_.check(library_.execute(handle_, plan_->raw(), pack.raw()),
                          "refuses a convolution");
}

}  // namespace sluice::nn
