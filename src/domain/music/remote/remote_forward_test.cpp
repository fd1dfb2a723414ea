// Separating on devices: bits, memory that is known before, what crosses, and errors.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/remote/remote_forward.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "device/fake.h"
#include "domain/music/forward/forward.h"
#include "domain/music/inspect_weights.h"
#include "domain/music/synthetic.h"

namespace sluice::music {
namespace {

constexpr index page = 4096;  // what the fake device rounds to

struct Case {
    char const* name;
    Network network;
    std::string norm = "InstanceNorm", act = "gelu";
    index n_fft = 64, hop = 16, frames = 8;
};

/// Levels, sub-bands that leave bins out, an odd scale, stems, and each norm.
std::vector<Case> cases() {
    return {{"small", {8, 4, 1, 2, 2, 4, 8, 2}},
            {"two levels", {5, 3, 2, 1, 2, 2, 16, 3}, "GroupNorm1", "relu"},
            {"thirds", {6, 2, 1, 2, 1, 1, 36, 1, {2, 3}, Norm::batch}, "BatchNorm", "elu0.5", 72},
            {"fewer bins", {8, 4, 1, 1, 2, 2, 16, 5, {1, 2}, Norm::none}, "none", "gelu", 74, 9}};
}

/// A model without training.
struct Model {
    weights::Weights weights;
    Inspection inspection;
    index frames;

    explicit Model(Case const& c) : weights(synthetic_weights(c.network, 3)), frames(c.frames) {
        ModelConfig config;
        config.audio.n_fft = c.n_fft, config.audio.hop_length = c.hop;
        config.audio.dim_t = c.frames;
        config.model.norm = c.norm, config.model.act = c.act;
        config.model.scale = c.network.scale;
        auto found = inspect_weights(weights, "a model", config);
        EXPECT_TRUE(found) << found.error().text();
        inspection = std::move(*found);
    }
    Result<std::unique_ptr<RemoteForward>> load(Device const& device) const {
        return RemoteForward::load(weights, inspection, {frames, Precision::fp32, device});
    }
    Memory expected(Device const& device) const {
        return RemoteForward::expected(inspection.network, {frames, Precision::fp32, device},
                                       settings_of(inspection, "").value());
    }
};

std::vector<float> noise(index n, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, 0.2F);
    std::vector<float> out(static_cast<std::size_t>(n));
    for (float& v : out) v = normal(random);
    return out;
}

std::vector<float> separated(Engine& engine, std::vector<float> const& mix, index batch) {
    std::vector<float> out(mix.size() * static_cast<std::size_t>(engine.stems()));
    EXPECT_TRUE(engine.separate(mix, out, batch));
    return out;
}

void no_limit() {
    fake_backend()->set_limit(std::numeric_limits<std::size_t>::max());
}

TEST(MusicRemote, HasTheSameBitsOnEveryDeviceForAnyBatchAndAgain) {
    for (Case const& c : cases()) {
        SCOPED_TRACE(c.name);
        Model const model(c);
        std::vector<float> first;
        std::vector<Device> devices{Device::reference(), Device::fake(), Device::cpu(2)};
        if (auto const gpu = Device::cuda()) devices.push_back(*gpu);
        for (Device const& device : devices) {
            auto const f = model.load(device);
            ASSERT_TRUE(f) << f.error().text();
            auto const mix = noise(3 * 2 * (*f)->samples(), 5);
            // Launched, recorded, replayed.
            auto const all = separated(**f, mix, 3), again = separated(**f, mix, 3);
            EXPECT_EQ(all, again) << device.name();
            if (first.empty()) first = all;
            // A GPU may have other convolutions than ours.
            if (device.kind() != Device::Kind::cuda) {
                EXPECT_EQ(all, first) << device.name();
            }
        }
    }
}

double snr(std::vector<float> const& right, std::vector<float> const& found) {
    double signal = 0, apart = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        signal += std::pow(static_cast<double>(right[i]), 2);
        apart += std::pow(static_cast<double>(right[i]) - static_cast<double>(found[i]), 2);
    }
    return 10 * std::log10(signal / apart);
}

TEST(MusicRemote, IsNearTheProcessors) {
    std::vector<Device> devices{Device::fake()};
    if (auto const gpu = Device::cuda()) devices.push_back(*gpu);
    for (Case const& c : cases())
        for (Device const& device : devices) {
            SCOPED_TRACE(c.name);
            Model const model(c);
            auto const there = model.load(device);
            auto const here =
                Forward::load(model.weights, model.inspection, {c.frames, Precision::fp32, {}});
            ASSERT_TRUE(there && here);
            auto const mix = noise(2 * (*here)->samples(), 5);
            EXPECT_GT(snr(separated(**here, mix, 1), separated(**there, mix, 1)), 100)
                << device.name();
        }
}

TEST(MusicRemote, OnlySoundCrossesAndARecordingIsOneLaunch) {
    Model const model(cases()[0]);
    auto const f = model.load(Device::fake());
    ASSERT_TRUE(f);
    auto const mix = noise(2 * (*f)->samples(), 5);
    for (int chunk = 0; chunk < 4; ++chunk) {
        Traffic const before = traffic_of(Device::fake()).value();
        separated(**f, mix, 1);
        Traffic const moved = traffic_of(Device::fake()).value() - before;
        EXPECT_EQ(moved.uploaded, mix.size() * sizeof(float));
        EXPECT_EQ(moved.downloaded, 2 * mix.size() * sizeof(float));
        EXPECT_EQ(moved.waits, 1u);
        EXPECT_EQ(chunk > 1, moved.launches == 1) << chunk;
    }
}

TEST(MusicRemote, TakesWhatItSaidBefore) {
    for (Case const& c : cases()) {
        SCOPED_TRACE(c.name);
        Model const model(c);
        Memory const expected = model.expected(Device::fake());
        auto const before = static_cast<index>(fake_backend()->taken());
        auto const f = model.load(Device::fake());
        ASSERT_TRUE(f);
        Memory const m = (*f)->memory();
        EXPECT_EQ(m.weights, expected.weights);
        EXPECT_EQ(m.maps, expected.maps);
        EXPECT_EQ(m.sound, expected.sound);
        auto const taken = static_cast<index>(fake_backend()->taken()) - before;
        EXPECT_GE(taken, m.sum());
        EXPECT_LE(taken, m.sum() + 16 * page) << "places are whole pages";
        separated(**f, noise(2 * (*f)->samples(), 5), 1);
        EXPECT_EQ(static_cast<index>(fake_backend()->taken()) - before, taken)
            << "nothing is taken in the middle of a song";
    }
}

TEST(MusicRemote, TooLittleMemoryIsSaidBeforeAnythingIsTaken) {
    Model const model(cases()[0]);
    auto const before = fake_backend()->taken();
    auto const needed = static_cast<std::size_t>(model.expected(Device::fake()).sum());
    fake_backend()->set_limit(before + needed - 1);
    Traffic const quiet = traffic_of(Device::fake()).value();
    auto const none = model.load(Device::fake());
    EXPECT_EQ((traffic_of(Device::fake()).value() - quiet).uploaded, 0u);
    no_limit();
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, Code::out_of_memory);
    EXPECT_NE(none.error().message.find("on the device fake"), std::string::npos);
}

// What is free may be in pieces, or another program takes it: any place may be missing.
TEST(MusicRemote, MemoryThatIsMissingAnywhereIsAnErrorAndNothingStays) {
    Model const model(cases()[0]);
    auto const before = fake_backend()->taken();
    auto const needed = static_cast<std::size_t>(model.expected(Device::fake()).sum());
    int failed = 0;
    for (std::size_t more = 0; more < 20; ++more) {
        fake_backend()->set_limit(before + needed + more * page);
        auto f = model.load(Device::fake());
        if (f) break;
        ++failed;
        EXPECT_EQ(f.error().code, Code::out_of_memory) << f.error().text();
        EXPECT_EQ(fake_backend()->taken(), before);
    }
    no_limit();
    EXPECT_GT(failed, 3);
    EXPECT_LT(failed, 20);
}

TEST(MusicRemote, WrongWishesAreExplained) {
    Model const model(cases()[0]);
    auto const odd = load_engine(model.weights, model.inspection, {7, {}, Device::fake()});
    ASSERT_FALSE(odd);
    EXPECT_NE(odd.error().message.find("multiple of 2"), std::string::npos);
    auto const bf16 =
        load_engine(model.weights, model.inspection, {8, Precision::bf16, Device::fake()});
    ASSERT_FALSE(bf16);
    EXPECT_EQ(bf16.error().code, Code::unavailable);
    EXPECT_NE(bf16.error().message.find("only processors compute in bf16"), std::string::npos);
    auto const tf32 =
        load_engine(model.weights, model.inspection, {8, Precision::tf32, Device::cpu()});
    ASSERT_FALSE(tf32);
    EXPECT_EQ(tf32.error().code, Code::unavailable);
    EXPECT_NE(tf32.error().message.find("take fp32 or bf16"), std::string::npos);
    auto const ours =
        load_engine(model.weights, model.inspection, {8, Precision::tf32, Device::fake()});
    ASSERT_FALSE(ours);
    EXPECT_EQ(ours.error().message, "tf32 needs cuDNN (the device is not a GPU); take fp32");
    auto const absurd =
        load_engine(model.weights, model.inspection, {index{1} << 40, {}, Device::fake()});
    ASSERT_FALSE(absurd);
    EXPECT_EQ(absurd.error().code, Code::out_of_memory);
}

TEST(MusicRemote, SaysWhoComputes) {
    Model const model(cases()[0]);
    auto const f = load_engine(model.weights, model.inspection, {8, {}, Device::fake()});
    ASSERT_TRUE(f);
    EXPECT_EQ((*f)->chosen(), "our own convolutions");
    EXPECT_EQ((*f)->precision(), Precision::fp32);
    auto const here = load_engine(model.weights, model.inspection, {8, {}, Device::cpu()});
    EXPECT_EQ((*here)->chosen(), "");
}

}  // namespace
}  // namespace sluice::music
