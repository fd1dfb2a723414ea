// Loading a model: which chunks it hears, in what arithmetic, and whether that fits in memory.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/separate/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory.h"
#include "device/backend.h"
#include "domain/music/embedded.h"
#include "domain/music/engine.h"
#include "domain/music/facts.h"
#include "domain/music/inspect_weights.h"
#include "nn/operator.h"

namespace sluice::music {
namespace {

// Notes on a model's files, and on how the preset reads them.
std::vector<std::string> notes_of(Inspection const& model, ModelConfig const* config,
                                  ModelOptions const& o) {
    std::vector<std::string> notes = model.notes;
    for (Fact const& f : model.facts)
        if (f.origin == Origin::given)
            notes.push_back(std::visit(
                [&](auto const& v) { return fmt::format("{} = {} was assumed", f.name, v); },
                f.value));
    if (model.stems_origin == Origin::given)
        notes.push_back(
            fmt::format("the stems' names were assumed: {}", fmt::join(model.stems, ", ")));
    if (!config) return notes;
    if (auto const batch = config->inference.batch_size.value_or(1);
        o.preset == Preset::msst && batch > 1)
        notes.push_back(fmt::format(
            "the YAML has batch_size: {}, with which MSST leaves out the fades of all chunks of "
            "its first and last batch; preset msst gives what MSST gives with batch_size: 1",
            batch));
    if (o.preset == Preset::uvr && !o.frames && !config->inference.dim_t)
        notes.emplace_back(
            "the YAML has no dim_t of inference, which gives UVR's length of chunks: MSST's length "
            "is taken");
    return notes;
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

// Chunks of the mix and the stems, sums, and samples that wait for both.
double bytes_around(Chunk const& chunk, index stems) {
    return 4.0 * static_cast<double>(chunk.samples) * static_cast<double>(8 + 8 * stems);
}

/// What a model takes where it runs. Chunks, stems and sums are with the processor.
struct Need {
    Network const& network;
    Settings const& settings;

    double of(Engine::Wish const& wish, Chunk const& chunk) const {
        double const engine = static_cast<double>(expected_memory(network, wish, settings).sum());
        return wish.device.remote() ? engine : engine + bytes_around(chunk, network.stems);
    }
};

/// Bytes that are allowed, or free; empty: not known.
Result<std::optional<double>> limit_of(ModelOptions const& o, Device const& device) {
    std::optional<std::uint64_t> limit = o.memory_limit;
    if (!limit && device.remote()) {
        SLUICE_TRY(auto const backend, backend_of(device));
        limit = backend->available();
    } else if (!limit) {
        limit = memory_available();
    }
    return limit ? std::optional(static_cast<double>(*limit)) : std::nullopt;
}

// What would fit.
std::string advice_of(Need const& need, Engine::Wish wish, Chunk chunk, double limit) {
    Network const& n = need.network;
    if (precision_of(wish) == Precision::fp32 && !wish.device.remote() && nn::multiplies_bf16()) {
        Engine::Wish bf16 = wish;
        bf16.precision = Precision::bf16;
        if (need.of(bf16, chunk) <= limit)
            return fmt::format("bf16 takes {}", amount_of(need.of(bf16, chunk)));
    }
    index multiple = 1;
    for (index i = 0; i < n.scales; ++i) multiple *= n.scale[0];
    while (wish.frames > multiple && need.of(wish, chunk) > limit) {
        wish.frames = std::max(multiple, wish.frames / 2 / multiple * multiple);
        chunk.samples = need.settings.hop * (wish.frames - 1);
    }
    // The samples that the transform mirrors at a chunk's ends must exist.
    if (need.of(wish, chunk) <= limit && chunk.samples > need.settings.n_fft / 2)
        return fmt::format("chunks of {} frames take {}, and give another result", wish.frames,
                           amount_of(need.of(wish, chunk)));
    return wish.device.remote() ? "free some, or take --device cpu" : "free some";
}

Status check_memory(Need const& need, Engine::Wish const& wish, Chunk const& chunk,
                    ModelOptions const& o, std::string const& path) {
    SLUICE_TRY(auto const limit, limit_of(o, wish.device));
    double const needed = need.of(wish, chunk);
    if (!limit || needed <= *limit) return {};
    return Error{Code::out_of_memory,
                 fmt::format("needs about {} of memory{}, and {} {}: {}", amount_of(needed),
                             wish.device.remote() ? " on the device " + wish.device.name() : "",
                             amount_of(*limit), o.memory_limit ? "are allowed" : "are free",
                             advice_of(need, wish, chunk, *limit)),
                 path};
}

Engine::Wish wish_of(ModelOptions const& o, Chunk const& chunk) {
    Engine::Wish wish;
    wish.frames = chunk.frames;
    wish.device = o.device.with_threads(o.threads);
    wish.precision.reset();
    if (o.arithmetic != Arithmetic::automatic)
        wish.precision = o.arithmetic == Arithmetic::bf16   ? Precision::bf16
                         : o.arithmetic == Arithmetic::tf32 ? Precision::tf32
                                                            : Precision::fp32;
    wish.precision = precision_of(wish);
    wish.progress = o.progress;
    return wish;
}

}  // namespace

namespace {

/// What the files of a model say, and how it is wanted.
struct Described {
    std::optional<ModelConfig> config;
    Inspection model;
    Settings settings;
    Chunk chunk;
    Engine::Wish wish;
};

Result<Described> describe(weights::Weights const& weights, std::string const& path,
                           ModelOptions const& o) {
    SLUICE_TRY(std::optional<ModelConfig> const config,
               config_of(weights, path, o.config, o.assumed));
    SLUICE_TRY(Inspection const model, inspect_weights(weights, path, config));
    SLUICE_CHECK(need_facts(model, config ? &*config : nullptr, o.frames.has_value(), path));
    SLUICE_TRY(Settings const settings, settings_of(model, path));
    if (o.frames && (*o.frames < 2 || *o.frames > 1 << 16))
        return Error{
            Code::invalid_argument,
            fmt::format("a chunk of {} frames (2 to 65536 are possible) take more or fewer",
                        *o.frames),
            path};
    Chunk const chunk = chunk_of(model, settings, o);
    Engine::Wish const wish = wish_of(o, chunk);
    SLUICE_CHECK(check_wish(model.network, wish, path));
    return Described{config, model, settings, chunk, wish};
}

}  // namespace

Result<ModelCost> model_cost(std::string const& path, ModelOptions const& o) {
    SLUICE_TRY(weights::Weights const weights, weights::open_weights(path));
    SLUICE_TRY(Described const d, describe(weights, path, o));
    Need const need{d.model.network, d.settings};
    return ModelCost{.bytes = static_cast<std::uint64_t>(need.of(d.wish, d.chunk)),
                     .chunk = d.chunk.samples,
                     .rate = static_cast<int>(d.model.sample_rate),
                     .stems = d.model.network.stems,
                     .flop = 2 * d.chunk.cost.macs};
}

Result<Model> Model::load(std::string const& path, ModelOptions const& o) {
    SLUICE_TRY(weights::Weights const weights, weights::open_weights(path));
    SLUICE_TRY(Described const described, describe(weights, path, o));
    auto const& [config, model, settings, chunk, wish] = described;
    Need const need{model.network, settings};
    SLUICE_CHECK(check_memory(need, wish, chunk, o, path));
    SLUICE_TRY(auto engine, load_engine(weights, model, wish));
    auto state = std::make_unique<State>();
    state->name = path;
    state->stems = model.stems;
    state->notes = notes_of(model, config ? &*config : nullptr, o);
    state->rate = static_cast<int>(model.sample_rate);
    state->arithmetic = engine->precision() == Precision::bf16   ? Arithmetic::bf16
                        : engine->precision() == Precision::tf32 ? Arithmetic::tf32
                                                                 : Arithmetic::fp32;
    if (o.arithmetic == Arithmetic::automatic) state->why = choose_precision(wish.device).why;
    state->device = wish.device;
    state->chosen = engine->chosen();
    state->threads = wish.device.host(o.threads).threads();
    state->memory = static_cast<std::uint64_t>(engine->memory().sum());
    if (!wish.device.remote())
        state->memory += static_cast<std::uint64_t>(bytes_around(chunk, model.network.stems));
    if (config) {
        state->instruments = config->instruments;
        state->overlap = config->inference.num_overlap;
    }
    if (engine->samples() != chunk.samples)
        return Error{Code::unsupported,
                     fmt::format("the YAML's chunk of {} samples is not a whole number of hops (a "
                                 "hop has {} samples) give the frames of a chunk",
                                 chunk.samples, settings.hop),
                     path};
    state->network = std::move(engine);
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
std::vector<std::string> const& Model::notes() const {
    return state_->notes;
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
Device const& Model::device() const {
    return state_->device;
}
std::string Model::chosen() const {
    return state_->chosen;
}
int Model::threads() const {
    return state_->threads;
}
std::uint64_t Model::memory() const {
    return state_->memory;
}

}  // namespace sluice::music
