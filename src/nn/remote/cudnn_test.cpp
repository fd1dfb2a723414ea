// Layers by cuDNN with a stand-in for its library, which computes what descriptors say by plain
// loops; and the library itself, where it is there, as far as it goes without a GPU.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <random>

#include "device/place.h"
#include "nn/operator.h"
#include "nn/remote/cudnn_convolver.h"
#include "nn/remote/cudnn_plan.h"

namespace sluice::nn {
namespace {

/// What the stand-in proposes: which algorithms, with which notes.
struct Proposal {
    std::vector<cudnnBackendNumericalNote_t> notes = {};
    bool finalizes = true;
    std::int64_t workspace = 0;
};

struct Fake {
    cudnnBackendDescriptorType_t type;
    bool finalized = false;
    std::map<int, std::vector<std::byte>> attributes = {};
    Proposal const* proposal = nullptr;  ///< of configurations, engines and plans

    template <class T>
    std::vector<T> get(cudnnBackendAttributeName_t name) const {
        auto const& bytes = attributes.at(name);
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    Fake const& of(cudnnBackendAttributeName_t name) const {
        return *static_cast<Fake const*>(get<cudnnBackendDescriptor_t>(name).front());
    }
};

/// One for all tests, as the library is one for a process.
struct World {
    std::vector<Proposal> proposals, fallbacks;
    int alive = 0, executed = 0, handles = 0;
    Proposal const* last = nullptr;  ///< that was executed
} world;

std::int64_t at(std::vector<std::int64_t> const& strides, std::int64_t n, std::int64_t c,
                std::int64_t h, std::int64_t w) {
    return n * strides[0] + c * strides[1] + h * strides[2] + w * strides[3];
}

/// By the definition, over whatever strides: y of x, or the way back from y's place to x's.
void convolve(Fake const& operation, bool back, float const* given, float const* weights,
              float* made) {
    auto const attribute = [&](cudnnBackendAttributeName_t forward,
                               cudnnBackendAttributeName_t backward) -> Fake const& {
        return operation.of(back ? backward : forward);
    };
    Fake const& small = attribute(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY);
    Fake const& large = attribute(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX);
    Fake const& filter = attribute(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W);
    Fake const& how = attribute(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC);
    auto const dims = [](Fake const& t) {
        return t.get<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS);
    };
    auto const strides = [](Fake const& t) {
        return t.get<std::int64_t>(CUDNN_ATTR_TENSOR_STRIDES);
    };
    auto const y = dims(small), x = dims(large), k = dims(filter);
    auto const sy = strides(small), sx = strides(large), sk = strides(filter);
    auto const pad = how.get<std::int64_t>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS);
    auto const step = how.get<std::int64_t>(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES);
    ASSERT_TRUE(y[0] == x[0] && y[1] == k[0] && x[1] == k[1]);
    for (int d = 0; d < 2; ++d)
        ASSERT_EQ(y[2 + d], (x[2 + d] + 2 * pad[d] - k[2 + d]) / step[d] + 1);
    std::vector<double> sums(
        static_cast<std::size_t>(back ? x[0] * x[1] * x[2] * x[3] : y[0] * y[1] * y[2] * y[3]));
    for (std::int64_t n = 0; n < y[0]; ++n)
        for (std::int64_t o = 0; o < y[1]; ++o)
            for (std::int64_t h = 0; h < y[2]; ++h)
                for (std::int64_t w = 0; w < y[3]; ++w)
                    for (std::int64_t i = 0; i < x[1]; ++i)
                        for (std::int64_t a = 0; a < k[2]; ++a)
                            for (std::int64_t b = 0; b < k[3]; ++b) {
                                std::int64_t const row = h * step[0] + a - pad[0];
                                std::int64_t const column = w * step[1] + b - pad[1];
                                if (row < 0 || row >= x[2] || column < 0 || column >= x[3])
                                    continue;
                                auto const here = at(sy, n, o, h, w),
                                           there = at(sx, n, i, row, column);
                                sums[static_cast<std::size_t>(back ? there : here)] +=
                                    static_cast<double>(weights[at(sk, o, i, a, b)]) *
                                    static_cast<double>(given[back ? here : there]);
                            }
    for (std::size_t i = 0; i < sums.size(); ++i) made[i] = static_cast<float>(sums[i]);
}

CudnnLibrary stand_in() {
    CudnnLibrary l;
    l.version = []() -> std::size_t { return 91300; };
    l.error_string = [](cudnnStatus_t) { return "said the stand-in"; };
    l.create = [](cudnnHandle_t* handle) {
        ++world.handles;
        *handle = reinterpret_cast<cudnnHandle_t>(&world);
        return CUDNN_STATUS_SUCCESS;
    };
    l.destroy = [](cudnnHandle_t) {
        --world.handles;
        return CUDNN_STATUS_SUCCESS;
    };
    l.set_stream = [](cudnnHandle_t, cudaStream_t) { return CUDNN_STATUS_SUCCESS; };
    l.create_descriptor = [](cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* to) {
        ++world.alive;
        *to = new Fake{type};
        return CUDNN_STATUS_SUCCESS;
    };
    l.destroy_descriptor = [](cudnnBackendDescriptor_t d) {
        --world.alive;
        delete static_cast<Fake*>(d);
        return CUDNN_STATUS_SUCCESS;
    };
    l.set_attribute = [](cudnnBackendDescriptor_t d, cudnnBackendAttributeName_t name,
                         cudnnBackendAttributeType_t type, std::int64_t count, void const* from) {
        auto& fake = *static_cast<Fake*>(d);
        if (fake.finalized) return CUDNN_STATUS_BAD_PARAM;
        std::size_t const each = type == CUDNN_TYPE_INT64 || type == CUDNN_TYPE_VOID_PTR ||
                                         type == CUDNN_TYPE_BACKEND_DESCRIPTOR ||
                                         type == CUDNN_TYPE_HANDLE
                                     ? 8
                                     : 4;
        auto const* const bytes = static_cast<std::byte const*>(from);
        fake.attributes[name] = {bytes, bytes + each * static_cast<std::size_t>(count)};
        return CUDNN_STATUS_SUCCESS;
    };
    l.finalize = [](cudnnBackendDescriptor_t d) {
        auto& fake = *static_cast<Fake*>(d);
        if (fake.type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {
            fake.proposal = fake.of(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG).proposal;
            if (!fake.proposal->finalizes) return CUDNN_STATUS_NOT_SUPPORTED;
        }
        fake.finalized = true;
        return CUDNN_STATUS_SUCCESS;
    };
    l.get_attribute = [](cudnnBackendDescriptor_t d, cudnnBackendAttributeName_t name,
                         cudnnBackendAttributeType_t, std::int64_t wanted, std::int64_t* count,
                         void* to) {
        auto& fake = *static_cast<Fake*>(d);
        auto* const descriptors = static_cast<cudnnBackendDescriptor_t*>(to);
        if (name == CUDNN_ATTR_ENGINEHEUR_RESULTS) {
            auto const mode = fake.get<cudnnBackendHeurMode_t>(CUDNN_ATTR_ENGINEHEUR_MODE).front();
            auto const& all = mode == CUDNN_HEUR_MODE_A ? world.proposals : world.fallbacks;
            *count = std::ssize(all);
            for (std::int64_t i = 0; i < std::min(wanted, *count); ++i) {
                auto& config = *static_cast<Fake*>(descriptors[i]);
                config.proposal = &all[static_cast<std::size_t>(i)];
                // The graph that a plan will be of.
                config.attributes[0] = fake.attributes.at(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
            }
        } else if (name == CUDNN_ATTR_ENGINECFG_ENGINE) {
            static_cast<Fake*>(descriptors[0])->proposal = fake.proposal;
            *count = 1;
        } else if (name == CUDNN_ATTR_ENGINE_NUMERICAL_NOTE) {
            auto const& notes = fake.proposal->notes;
            *count = std::ssize(notes);
            std::copy(notes.begin(), notes.end(), static_cast<cudnnBackendNumericalNote_t*>(to));
        } else if (name == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE) {
            *static_cast<std::int64_t*>(to) = fake.proposal->workspace;
            *count = 1;
        } else {
            return CUDNN_STATUS_BAD_PARAM;
        }
        return CUDNN_STATUS_SUCCESS;
    };
    l.execute = [](cudnnHandle_t, cudnnBackendDescriptor_t p, cudnnBackendDescriptor_t v) {
        auto const &plan = *static_cast<Fake*>(p), &pack = *static_cast<Fake*>(v);
        auto const& config = plan.of(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
        auto const& graph = config.of(static_cast<cudnnBackendAttributeName_t>(0));
        auto const& operation = graph.of(CUDNN_ATTR_OPERATIONGRAPH_OPS);
        auto const pointers = pack.get<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
        bool const back =
            operation.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR;
        ++world.executed;
        world.last = plan.proposal;
        convolve(operation, back, static_cast<float const*>(pointers[0]),
                 static_cast<float const*>(pointers[1]), static_cast<float*>(pointers[2]));
        return CUDNN_STATUS_SUCCESS;
    };
    return l;
}

std::vector<float> noise(index n, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.2F, 1.0F);
    std::vector<float> v(static_cast<std::size_t>(n));
    for (float& x : v) x = normal(random);
    return v;
}

std::vector<Shape> shapes() {
    return {{Kind::pointwise, 7, 11, 3, 5},
            {Kind::square, 6, 10, 7, 9},
            {Kind::square, 1, 5, 4, 4},
            {Kind::shrink, 6, 18, 5, 10, {2, 2}},
            {Kind::shrink, 2, 36, 5, 6, {3, 2}},
            {Kind::grow, 6, 9, 5, 10, {2, 2}},
            {Kind::grow, 3, 7, 5, 6, {2, 3}},
            {Kind::along_width, 6, 16, 5, 5, {1, 1}, 8},
            {Kind::along_width, 3, 8, 7, 7, {1, 1}, 33}};
}

/// The host's memory is the device's, as the stand-in needs it.
std::vector<float> made_by(Convolver& convolver, Queue& queue, Shape const& s, bool add) {
    auto const weights = Place<float>::make(queue, s.weights()).value();
    auto const made = convolver.make(s, add, weights.data()).value();
    auto const arranged = made->arranged(noise(s.weights(), 1));
    EXPECT_TRUE(queue.upload(weights.data(), std::as_bytes(std::span(arranged))));
    auto const x = noise(s.rows_in() * s.width * s.in, 2);
    auto const y = noise(s.rows_out() * s.width_out() * s.out, 3);
    auto const from = Place<float>::of(queue, x).value(), to = Place<float>::of(queue, y).value();
    auto const scratch = Place<float>::make(queue, to.count()).value();
    EXPECT_TRUE(made->run(queue, from.data(), to.data(), scratch.data()));
    return to.read(queue).value();
}

TEST(NnCudnn, LayersOfEveryKindAreOurs) {
    world = {};
    world.proposals = {{}};
    CudnnLibrary const library = stand_in();
    {
        Queue queue = Queue::of(Device::reference()).value();
        auto const theirs = cudnn_convolver(queue, library, Products::fp32, 4096).value(),
                   ours = plain_convolver();
        for (Shape const& s : shapes())
            for (bool const add : {false, true}) {
                auto const right = made_by(*ours, queue, s, add),
                           found = made_by(*theirs, queue, s, add);
                for (std::size_t i = 0; i < right.size(); ++i)
                    ASSERT_NEAR(right[i], found[i], 3e-5)
                        << static_cast<int>(s.kind) << ' ' << add << ' ' << i;
            }
        EXPECT_EQ(world.executed, 2 * std::ssize(shapes()));
        EXPECT_EQ(theirs->name(), "cuDNN 9.13");
        EXPECT_EQ(theirs->bytes(), 4096);
    }
    EXPECT_EQ(world.alive, 0) << "descriptors";
    EXPECT_EQ(world.handles, 0);
}

TEST(NnCudnn, TakesTheFirstAlgorithmOfFullPrecisionThatFits) {
    world = {};
    world.proposals = {{{CUDNN_NUMERICAL_NOTE_WINOGRAD, CUDNN_NUMERICAL_NOTE_TENSOR_CORE}},
                       {{CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS}},
                       {{CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION}},
                       {{CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC}},
                       {{}, false},
                       {{}, true, 4097},
                       {{CUDNN_NUMERICAL_NOTE_WINOGRAD}, true, 4096},
                       {{}}};
    CudnnLibrary const library = stand_in();
    Queue queue = Queue::of(Device::reference()).value();
    auto const convolver = cudnn_convolver(queue, library, Products::fp32, 4096).value();
    made_by(*convolver, queue, shapes()[1], false);
    EXPECT_EQ(world.last - world.proposals.data(), 6);
    world.proposals.clear();
    world.fallbacks = {{{CUDNN_NUMERICAL_NOTE_TENSOR_CORE}}, {}};
    made_by(*convolver, queue, shapes()[1], false);
    EXPECT_EQ(world.last - world.fallbacks.data(), 1) << "the other mode is asked then";
}

TEST(NnCudnn, TakesTensorCoresOnlyWhereTheyAreWanted) {
    world = {};
    world.proposals = {{{CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC, CUDNN_NUMERICAL_NOTE_TENSOR_CORE}},
                       {{CUDNN_NUMERICAL_NOTE_TENSOR_CORE}},
                       {{}}};
    CudnnLibrary const library = stand_in();
    Queue queue = Queue::of(Device::reference()).value();
    for (auto const products : {Products::fp32, Products::tf32}) {
        auto const convolver = cudnn_convolver(queue, library, products, 4096).value();
        EXPECT_EQ(convolver->products(), products);
        made_by(*convolver, queue, shapes()[1], false);
        EXPECT_EQ(world.last - world.proposals.data(), products == Products::tf32 ? 1 : 2);
    }
}

TEST(NnCudnn, LayersThatItCannotMakeAreOurs) {
    world = {};
    world.fallbacks = {{{CUDNN_NUMERICAL_NOTE_TENSOR_CORE}}};
    CudnnLibrary const library = stand_in();
    Queue queue = Queue::of(Device::reference()).value();
    auto const theirs = cudnn_convolver(queue, library, Products::fp32, 4096).value(),
               ours = plain_convolver();
    for (Shape const& s : shapes())
        EXPECT_EQ(made_by(*ours, queue, s, true), made_by(*theirs, queue, s, true));
    EXPECT_EQ(world.executed, 0);
    EXPECT_EQ(theirs->name(), "cuDNN 9.13, 9 of 9 layers are ours");
}

TEST(NnCudnn, ErrorsOfTheLibraryAreSaid) {
    world = {};
    CudnnLibrary library = stand_in();
    Queue queue = Queue::of(Device::reference()).value();
    library.create = [](cudnnHandle_t*) { return CUDNN_STATUS_NOT_INITIALIZED; };
    auto const none = cudnn_convolver(queue, library, Products::fp32, 4096);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message, "cuDNN does not start: said the stand-in");

    world.proposals = {{}};
    library = stand_in();
    library.execute = [](cudnnHandle_t, cudnnBackendDescriptor_t, cudnnBackendDescriptor_t) {
        return CUDNN_STATUS_EXECUTION_FAILED;
    };
    auto const convolver = cudnn_convolver(queue, library, Products::fp32, 4096).value();
    auto const made = convolver->make(shapes()[0], false, nullptr).value();
    auto const run = made->run(queue, nullptr, nullptr, nullptr);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().message, "cuDNN refuses a convolution: said the stand-in");
}

// What an operation is said to be is checked by the library without a GPU.
TEST(NnCudnn, TheLibraryTakesOurOperations) {
    auto const library = cudnn_library();
    if (!library) GTEST_SKIP() << library.error().message;
    for (Shape const& s : shapes()) {
        auto const made = CudnnOperation::make(**library, cudnn_task(s));
        if (!made && made.error().message.find("LOADING_FAILED") != std::string::npos)
            GTEST_SKIP() << made.error().message << " (the driver's libcuda.so.1 is missing)";
        EXPECT_TRUE(made) << static_cast<int>(s.kind) << ": " << made.error().message;
    }
    CudnnTask wrong = cudnn_task(shapes()[1]);
    wrong.y.dims[2] += 1;
    EXPECT_FALSE(CudnnOperation::make(**library, wrong)) << "so it does look at them";
}

}  // namespace
}  // namespace sluice::nn
