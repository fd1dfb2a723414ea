// Which engine a device has, and what it needs.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/engine.h"

#include <fmt/format.h>

#include "domain/music/forward/forward.h"
#include "domain/music/remote/remote_forward.h"
#include "nn/operator.h"

namespace sluice::music {

Chosen choose_precision(Device const& device) {
    if (device.remote())
        return {Precision::fp32, "tf32 is faster where tensor cores are, and rounds"};
    if (nn::multiplies_bf16_matrices())
        return {Precision::bf16, "this processor multiplies matrices of bf16 (AMX)"};
    return {Precision::fp32, "this processor has no AMX, so that fp32 is nearly as fast as bf16"};
}

Precision precision_of(Engine::Wish const& wish) {
    return wish.precision ? *wish.precision : choose_precision(wish.device).precision;
}

Status check_wish(Network const& n, Engine::Wish const& wish, std::string const& file) {
    index multiple = 1;
    for (index i = 0; i < n.scales && multiple <= wish.frames; ++i) multiple *= n.scale[0];
    if (wish.frames < 1 || wish.frames % multiple != 0)
        return Error{Code::invalid_argument,
                     fmt::format("a chunk of {} frames cannot be halved at each level; take a "
                                 "multiple of {}",
                                 wish.frames, multiple),
                     file};
    // Far beyond any machine, and far from where sizes overflow: a view can repeat one number.
    constexpr double absurd = 0x1p46;
    double numbers = cost_of(n, wish.frames).elements;
    for (TensorShape const& t : places(n)) {
        double size = 1;
        for (index const e : t.shape) size *= static_cast<double>(e);
        numbers += size;
    }
    if (4 * numbers > absurd)
        return Error{Code::out_of_memory,
                     fmt::format("a chunk of {} frames needs {:.0f} GB (weights and maps); take a "
                                 "shorter chunk",
                                 wish.frames, 4e-9 * numbers),
                     file};
    Precision const precision = precision_of(wish);
    if (precision == Precision::bf16 && wish.device.remote())
        return Error{Code::unavailable, fmt::format("the device {} computes in fp32 or tf32 (only "
                                                    "processors compute in bf16); take one of them",
                                                    wish.device.name())};
    if (precision == Precision::tf32 && !wish.device.remote())
        return Error{Code::unavailable,
                     "processors have no tf32 (tensor cores of GPUs do); take fp32 or bf16"};
    if (precision == Precision::bf16 && !nn::multiplies_bf16())
        return Error{Code::unavailable,
                     "this processor has no instructions for bf16 (AVX512_BF16 or AMX); take fp32"};
    return {};
}

Memory expected_memory(Network const& n, Engine::Wish const& wish, Settings const& settings) {
    return wish.device.remote() ? RemoteForward::expected(n, wish, settings)
                                : Forward::expected(n, wish, settings.n_fft);
}

Result<std::unique_ptr<Engine>> load_engine(weights::Weights const& weights,
                                            Inspection const& inspection,
                                            Engine::Wish const& wish) {
    if (wish.device.remote()) {
        SLUICE_TRY(std::unique_ptr<Engine> engine, RemoteForward::load(weights, inspection, wish));
        return engine;
    }
    SLUICE_TRY(std::unique_ptr<Engine> engine, Forward::load(weights, inspection, wish));
    return engine;
}

}  // namespace sluice::music
