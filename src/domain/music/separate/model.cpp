// Loading a model: which chunks it hears, in what arithmetic, and whether that fits in memory.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/separate/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory.h"
#include "domain/music/embedded.h"
#include "domain/music/forward/forward.h"
#include "domain/music/inspect_weights.h"

namespace sluice::music {
namespace {

struct Wanted {
    Chunk chunk;
    Precision precision;
};

// Without it the Fourier transform would be guessed, and a wrong one gives noise without an error.
Status need_config(Inspection const& model, std::string const& path) {
    for (Fact const& f : model.facts)
        if ((f.name == "n_fft" || f.name == "hop_length") && f.origin == Origin::assumed)
            return Error{Code::invalid_argument,
                         fmt::format("comes without {} (the tensors do not say it) give the YAML "
                                     "that was published with the model",
                                     f.name),
                         path};
    return {};
}

Chunk chunk_of(Inspection const& model, Settings const& settings, ModelOptions const& o) {
    if (o.frames)
        return {"frames", settings.hop * (*o.frames - 1), *o.frames,
                cost_of(model.network, *o.frames)};
    // The one of MSST comes first, and the one of UVR last where it is another.
    return o.preset == Preset::uvr ? model.chunks.back() : model.chunks.front();
}

std::string amount_of(double bytes) {
    return bytes < 1e8 ? fmt::format("{:.1f} MB", bytes / 1e6)
                       : fmt::format("{:.2f} GB", bytes / 1e9);
}

index bytes_of_number(Precision precision) {
    return precision == Precision::bf16 ? 2 : 4;
}

// Chunks of the mix and the stems, sums, and samples that wait for both.
double bytes_around(Chunk const& chunk, index stems) {
    return 4.0 * static_cast<double>(chunk.samples) * static_cast<double>(8 + 8 * stems);
}

Status check_memory(Inspection const& model, Wanted const& w, ModelOptions const& o,
                    std::string const& path) {
    auto const need = [&](Precision precision, Chunk const& chunk) {
        return model.memory(chunk, bytes_of_number(precision)) +
               bytes_around(chunk, model.network.stems);
    };
    auto const limit = static_cast<double>(o.memory_limit.value_or(memory_available()));
    double const needed = need(w.precision, w.chunk);
    if (needed <= limit) return {};
    std::string advice = "free some";
    index multiple = 1;
    for (index i = 0; i < model.network.scales; ++i) multiple *= model.network.scale[0];
    if (w.precision == Precision::fp32 && nn::multiplies_bf16() &&
        need(Precision::bf16, w.chunk) <= limit) {
        advice = fmt::format("bf16 takes {}", amount_of(need(Precision::bf16, w.chunk)));
    } else {
        Chunk smaller = w.chunk;
        index const hop = w.chunk.samples / std::max(index{1}, w.chunk.frames - 1);
        while (smaller.frames > multiple && need(w.precision, smaller) > limit) {
            smaller.frames = std::max(multiple, smaller.frames / 2 / multiple * multiple);
            smaller.samples = hop * (smaller.frames - 1);
            smaller.cost = cost_of(model.network, smaller.frames);
        }
        if (need(w.precision, smaller) <= limit)
            advice = fmt::format("chunks of {} frames take {}, and give another result",
                                 smaller.frames, amount_of(need(w.precision, smaller)));
    }
    return Error{Code::out_of_memory,
                 fmt::format("needs about {} of memory, and {} {}: {}", amount_of(needed),
                             amount_of(limit), o.memory_limit ? "are allowed" : "are free", advice),
                 path};
}

Precision precision_of(Arithmetic arithmetic) {
    if (arithmetic == Arithmetic::automatic) return choose_precision().precision;
    return arithmetic == Arithmetic::bf16 ? Precision::bf16 : Precision::fp32;
}

}  // namespace

Result<Model> Model::load(std::string const& path, ModelOptions const& o) {
    SLUICE_TRY(weights::Weights const weights, weights::open_weights(path));
    SLUICE_TRY(std::optional<Config> const config, config_of(weights, path, o.config));
    SLUICE_TRY(Inspection const model, inspect_weights(weights, path, config));
    SLUICE_CHECK(need_config(model, path));
    SLUICE_TRY(Settings const settings, settings_of(model, path));
    if (o.frames && (*o.frames < 2 || *o.frames > 1 << 16))
        return Error{
            Code::invalid_argument,
            fmt::format("a chunk of {} frames (2 to 65536 are possible) take more or fewer",
                        *o.frames),
            path};
    Wanted const w = {chunk_of(model, settings, o), precision_of(o.arithmetic)};
    SLUICE_CHECK(check_memory(model, w, o, path));
    Forward::Wish wish;
    wish.frames = w.chunk.frames;
    wish.precision = w.precision;
    wish.device = Device::cpu(o.threads);
    wish.progress = o.progress;
    SLUICE_TRY(auto forward, Forward::load(weights, model, wish));
    auto state = std::make_unique<State>();
    state->name = path;
    state->stems = model.stems;
    state->rate = static_cast<int>(model.sample_rate);
    state->arithmetic = w.precision == Precision::bf16 ? Arithmetic::bf16 : Arithmetic::fp32;
    if (o.arithmetic == Arithmetic::automatic) state->why = choose_precision().why;
    state->threads = wish.device.threads();
    state->memory = static_cast<std::uint64_t>(forward->memory().sum()) +
                    static_cast<std::uint64_t>(bytes_around(w.chunk, model.network.stems));
    if (config) {
        state->instruments = config->instruments;
        state->overlap = config->inference.num_overlap;
    }
    if (forward->samples() != w.chunk.samples)
        return Error{
            Code::unsupported,
            fmt::format("the YAML's chunk of {} samples is no whole number of hops ({} are "
                        "one) give the frames of a chunk",
                        w.chunk.samples, settings.hop),
            path};
    state->network = std::move(forward);
    return Model(std::move(state));
}

Model::Model(std::unique_ptr<State> state) : state_(std::move(state)) {}
Model::Model(Model&& other) noexcept = default;
Model& Model::operator=(Model&& other) noexcept = default;
Model::~Model() = default;

std::string const& Model::name() const {
    return state_->name;
}
std::vector<std::string> const& Model::stems() const {
    return state_->stems;
}
int Model::rate() const {
    return state_->rate;
}
index Model::chunk() const {
    return state_->network->samples();
}
Arithmetic Model::arithmetic() const {
    return state_->arithmetic;
}

std::string const& Model::why() const {
    return state_->why;
}
int Model::threads() const {
    return state_->threads;
}
std::uint64_t Model::memory() const {
    return state_->memory;
}

}  // namespace sluice::music
