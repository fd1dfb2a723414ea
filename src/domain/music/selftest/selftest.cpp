// A test of separating on this machine.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/memory.h"
#include "base/run.h"
#include "bench/stopwatch.h"
#include "domain/music/benchmark/chunks.h"
#include "domain/music/embedded.h"
#include "domain/music/inspect_weights.h"
#include "domain/music/selftest/chunk_of_song.h"
#include "domain/music/synthetic.h"
#include "domain/music/twin/compare.h"
#include "domain/music/words.h"
#include "nn/operator.h"
#include "sluice/music_selftest.h"

namespace sluice::music {
namespace {

// What fp32 must reach beside double, and those whose factors have eleven and eight digits of two.
constexpr double must_fp32 = 90, must_tf32 = 45, must_bf16 = 30;

double must(Precision precision) {
    return precision == Precision::bf16   ? must_bf16
           : precision == Precision::tf32 ? must_tf32
                                          : must_fp32;
}

struct Subject {
    weights::Weights weights;
    Inspection inspection;
};

Result<Subject> without_training(ModelConfig const& config, std::string const& name) {
    SLUICE_TRY(Network const network, network_of(config, name));
    Subject s;
    s.weights = synthetic_weights(network, 1);
    SLUICE_TRY(s.inspection, inspect_weights(s.weights, name, config));
    return s;
}

Result<Subject> subject_of(SelfTestOptions const& o) {
    if (o.model.empty()) {
        SLUICE_TRY(ModelConfig const config, published_config(o.like));
        return without_training(config, o.like + " without training");
    }
    Subject s;
    SLUICE_TRY(s.weights, weights::open_weights(o.model));
    SLUICE_TRY(std::optional<ModelConfig> const config, config_of(s.weights, o.model, o.config));
    SLUICE_TRY(s.inspection, inspect_weights(s.weights, o.model, config));
    return s;
}

// Few enough numbers for plain loops in double.
ModelConfig small_config() {
    ModelConfig c = published_config("tiny").value();
    c.audio.n_fft = 256, c.audio.dim_f = 128, c.audio.hop_length = 64;
    c.audio.dim_t = c.inference.dim_t = 32;
    c.audio.chunk_size = 64 * 31;
    return c;
}

Result<SelfTest::Twin> twin_of(Precision precision, Device const& device) {
    SLUICE_TRY(Subject const small, without_training(small_config(), "the small network"));
    SLUICE_TRY(auto const stages,
               compare_with_twin(small.weights, small.inspection, precision, device));
    SelfTest::Twin twin;
    twin.precision = config::word_of(precision);
    twin.must_db = must(precision);
    for (StageFound const& s : stages) twin.stages.push_back({s.name, s.snr_db, s.largest, s.rms});
    return twin;
}

// The precision where a device has it, or a note why it does not.
Status add_tf32(std::vector<Precision>& precisions, Device const& device,
                std::vector<std::string>& notes) {
    SLUICE_TRY(Subject const small, without_training(small_config(), "the small network"));
    auto const tf32 =
        load_engine(small.weights, small.inspection,
                    {small.inspection.chunks.front().frames, Precision::tf32, device});
    if (!tf32 && tf32.error().code != Code::unavailable) return tf32.error();
    if (tf32)
        precisions.push_back(Precision::tf32);
    else
        notes.push_back("only fp32 is tested: " + tf32.error().message);
    return {};
}

double decibels(std::span<float const> truth, std::span<float const> found) {
    double signal = 0, noise = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        double const t = truth[i], d = t - static_cast<double>(found[i]);
        signal += t * t, noise += d * d;
    }
    return 10 * std::log10(signal / noise);
}

/// A chunk twice through the model; `out` becomes its stems.
Result<SelfTest::Whole> whole_of(Subject const& s, Precision precision, Device const& device,
                                 std::span<float const> mix, std::vector<float>& out,
                                 std::function<bool()> const& wanted) {
    SelfTest::Whole w;
    w.precision = config::word_of(precision);
    w.before_bytes = static_cast<double>(memory_resident());
    bench::Stopwatch const loading;
    Engine::Wish wish{s.inspection.chunks.front().frames, precision, device};
    wish.progress = [&](auto, auto) { return wanted(); };
    SLUICE_TRY(auto const network, load_engine(s.weights, s.inspection, wish));
    w.load_s = loading.lap().wall_s;
    Run run([&](index) { return wanted(); });
    network->ask(&run);
    out.resize(mix.size() * static_cast<std::size_t>(network->stems()));
    bench::Stopwatch const first;
    SLUICE_CHECK(network->separate(mix, out, 1));
    w.first_s = first.lap().wall_s;
    std::vector<float> again(out.size());
    bench::Stopwatch const second;
    SLUICE_CHECK(network->separate(mix, again, 1));
    w.second_s = second.lap().wall_s;
    w.repeats = std::memcmp(out.data(), again.data(), out.size() * sizeof(float)) == 0;
    w.after_bytes = static_cast<double>(memory_resident());
    w.planned_bytes = static_cast<double>(network->memory().sum());
    w.convolutions = network->chosen();
    return w;
}

}  // namespace

bool SelfTest::good() const {
    return std::ranges::all_of(twins, &Twin::good) && std::ranges::all_of(wholes, &Whole::repeats);
}

Result<SelfTest> self_test(SelfTestOptions const& o) {
    auto const step = [&](std::string const& name) -> Status {
        if (o.progress && !o.progress(name)) return cancelled();
        return {};
    };
    SLUICE_CHECK(step("reading the model"));
    SLUICE_TRY(Subject const subject, subject_of(o));
    SelfTest t;
    t.model = o.model.empty() ? o.like + " without training" : o.model;
    t.device = o.device.name();
    t.threads = o.device.threads();
    t.multiplies_bf16 = nn::multiplies_bf16();
    if (nn::multiplies_bf16()) t.capabilities.emplace_back("bf16");
    if (nn::multiplies_bf16_matrices()) t.capabilities.emplace_back("bf16 matrices (AMX)");
    if (auto const all = assumptions_of(subject.inspection); !all.empty())
        t.notes.push_back(fmt::format(
            "assumed, since neither the tensors nor the YAML state it: {}", fmt::join(all, ", ")));
    std::vector<Precision> precisions = {Precision::fp32};
    if (o.device.remote())
        SLUICE_CHECK(add_tf32(precisions, o.device, t.notes));
    else if (t.multiplies_bf16)
        precisions.push_back(Precision::bf16);
    else
        t.notes.emplace_back(
            "this processor has no instructions for bf16 (AVX512_BF16 or AMX): only fp32 is "
            "tested");
    for (Precision const p : precisions) {
        SLUICE_CHECK(step(fmt::format("{} beside the slow network", config::word_of(p))));
        SLUICE_TRY(SelfTest::Twin twin, twin_of(p, o.device));
        t.twins.push_back(std::move(twin));
    }
    Chunk const& chunk = subject.inspection.chunks.front();
    std::vector<float> mix;
    if (o.sound.empty()) {
        mix = test_sound(chunk.samples, 1);
    } else {
        SLUICE_TRY(mix, chunk_of_song(o.sound, chunk.samples, subject.inspection.sample_rate));
    }
    std::vector<float> fp32;
    for (Precision const p : precisions) {
        std::string const name = fmt::format("a chunk in {}, twice", config::word_of(p));
        SLUICE_CHECK(step(name));
        std::vector<float> out;
        SLUICE_TRY(SelfTest::Whole w, whole_of(subject, p, o.device, mix, out,
                                               [&] { return !o.progress || o.progress(name); }));
        if (p == Precision::fp32)
            fp32 = std::move(out);
        else
            w.snr_db = decibels(fp32, out);
        t.wholes.push_back(std::move(w));
    }
    return t;
}

}  // namespace sluice::music
