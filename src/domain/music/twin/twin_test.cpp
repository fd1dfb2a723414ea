// The fast network beside its slow twin, stage by stage: every norm, activation, scale and width.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "domain/music/benchmark/chunks.h"
#include "domain/music/forward/forward.h"
#include "domain/music/inspect_weights.h"
#include "domain/music/synthetic.h"
#include "domain/music/twin/compare.h"

namespace sluice::music {
namespace {

struct Variant {
    char const* name;
    std::string norm = "InstanceNorm", act = "gelu";
    std::array<index, 2> scale = {2, 2};
    index subbands = 2, stems = 2, channels = 8, growth = 4, blocks = 1, bottleneck = 2, scales = 2;
    index n_fft = 64, dim_f = 32, frames = 16;
};

ModelConfig config_of(Variant const& v) {
    ModelConfig c = published_config("tiny").value();
    c.audio = {16 * (v.frames - 1), v.dim_f, v.frames, 16, v.n_fft, 2, 44100};
    c.model = {v.act,      v.norm,   v.bottleneck, v.growth, v.blocks,
               v.channels, v.scales, v.subbands,   v.scale};
    c.inference = {};
    c.instruments.clear();
    for (index i = 0; i < v.stems; ++i) c.instruments.push_back(fmt::format("s{}", i));
    return c;
}

std::vector<Variant> variants() {
    return {
        {.name = "as published"},
        {.name = "two blocks", .blocks = 2},
        {.name = "three blocks", .blocks = 3},
        {.name = "batch norm", .norm = "BatchNorm"},
        {.name = "groups", .norm = "GroupNorm4"},
        {.name = "one group", .norm = "GroupNorm1"},
        {.name = "two groups", .norm = "GroupNorm2"},
        {.name = "no norm", .norm = "none"},
        {.name = "relu", .act = "relu"},
        {.name = "elu", .act = "elu0.25"},
        {.name = "elu as it is", .act = "elu1.0"},
        {.name = "only frequency is halved", .scale = {1, 2}},
        {.name = "only time is halved", .scale = {2, 1}},
        {.name = "thirds", .scale = {2, 3}, .n_fft = 72, .dim_f = 36},
        {.name = "thirds of time", .scale = {3, 2}, .frames = 18},
        {.name = "quarters", .scale = {4, 4}, .subbands = 1, .n_fft = 128, .dim_f = 64},
        {.name = "one sub-band", .subbands = 1},
        {.name = "six sub-bands", .subbands = 6, .n_fft = 96, .dim_f = 48},
        {.name = "four sub-bands", .subbands = 4},
        {.name = "one stem", .stems = 1},
        {.name = "five stems", .stems = 5},
        {.name = "no growth", .growth = 0},
        {.name = "odd channels", .channels = 5, .growth = 3},
        {.name = "channels of vectors", .channels = 16, .growth = 16},
        {.name = "wide layers", .bottleneck = 1},
        {.name = "a factor that rounds", .bottleneck = 3},
        {.name = "one level", .scales = 1},
        {.name = "fewer bins than the spectrum has", .n_fft = 96},
    };
}

Inspection inspected(weights::Weights const& w, ModelConfig const& c) {
    auto i = inspect_weights(w, "test", c);
    EXPECT_TRUE(i) << i.error().text();
    return std::move(*i);
}

TEST(MusicTwin, EveryStageIsThatOfTheSlowNetwork) {
    for (Variant const& v : variants()) {
        SCOPED_TRACE(v.name);
        ModelConfig const config = config_of(v);
        Network const network = network_of(config, v.name).value();
        auto const w = synthetic_weights(network, 11);
        Inspection const model = inspected(w, config);
        for (int const threads : {1, 2}) {
            auto const stages = compare_with_twin(w, model, Precision::fp32, Device::cpu(threads));
            ASSERT_TRUE(stages) << stages.error().text();
            ASSERT_GT(stages->size(), 7u);
            EXPECT_EQ(stages->back().name, "stems");
            for (StageFound const& s : *stages) {
                EXPECT_GT(s.snr_db, s.name == "mix" ? 115 : 95) << s.name;
                EXPECT_GT(s.rms, 0) << s.name;
            }
        }
    }
}

TEST(MusicTwin, EveryStageOnADeviceIsThatOfTheSlowNetwork) {
    std::vector<Device> devices{Device::fake()};
    if (auto const gpu = Device::cuda()) devices.push_back(*gpu);
    for (Device const& device : devices)
        for (Variant const& v : variants()) {
            SCOPED_TRACE(v.name + (" on " + device.name()));
            ModelConfig const config = config_of(v);
            Network const network = network_of(config, v.name).value();
            auto const w = synthetic_weights(network, 11);
            auto const stages = compare_with_twin(w, inspected(w, config), Precision::fp32, device);
            ASSERT_TRUE(stages) << stages.error().text();
            ASSERT_GT(stages->size(), 7u);
            EXPECT_EQ(stages->back().name, "stems");
            for (StageFound const& s : *stages) {
                EXPECT_GT(s.snr_db, s.name == "mix" ? 115 : 95) << s.name;
                EXPECT_GT(s.rms, 0) << s.name;
            }
        }
}

TEST(MusicTwin, OfTheReferenceDeviceIsNearer) {
    ModelConfig const config = config_of({.name = "x"});
    auto const w = synthetic_weights(network_of(config, "x").value(), 11);
    auto const stages =
        compare_with_twin(w, inspected(w, config), Precision::fp32, Device::reference());
    ASSERT_TRUE(stages) << stages.error().text();
    for (StageFound const& s : *stages) EXPECT_GT(s.snr_db, 115) << s.name;
}

TEST(MusicTwin, InBf16IsTheSlowNetworkNearly) {
    if (!nn::multiplies_bf16()) GTEST_SKIP() << "this processor does not multiply bf16";
    for (Variant const& v :
         {Variant{.name = "as published"},
          Variant{.name = "channels of vectors", .channels = 32, .growth = 16}}) {
        ModelConfig const config = config_of(v);
        auto const w = synthetic_weights(network_of(config, v.name).value(), 11);
        auto const stages =
            compare_with_twin(w, inspected(w, config), Precision::bf16, Device::cpu(2));
        ASSERT_TRUE(stages) << stages.error().text();
        for (StageFound const& s : *stages) EXPECT_GT(s.snr_db, 25) << s.name;
        EXPECT_GT(stages->back().snr_db, 38);
    }
}

// A twin that could not tell a wrong network would be of no use.
TEST(MusicTwin, FindsWhatIsWrong) {
    ModelConfig const config = config_of({.name = "x"});
    Network const network = network_of(config, "x").value();
    auto const w = synthetic_weights(network, 11);
    ModelConfig other = config;
    other.model.act = "relu";
    auto const stages = compare_with_twin(w, inspected(w, config), Precision::fp32, Device::cpu(1),
                                          inspected(w, other));
    ASSERT_TRUE(stages);
    EXPECT_GT(stages->front().snr_db, 110);
    EXPECT_LT(stages->back().snr_db, 40);
}

}  // namespace
}  // namespace sluice::music
