// What the forward pass promises beside its numbers: bits, memory, precisions, and words.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/forward.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "base/run.h"
#include "domain/music/inspect_weights.h"
#include "domain/music/synthetic.h"

namespace sluice::music {
namespace {

struct Case {
    Network network;
    std::string norm = "InstanceNorm", act = "gelu";
    index n_fft = 64, hop = 16, frames = 8;
};

/// 8 channels, 4 sub-bands of 8 bins, one level.
Network small() {
    return {8, 4, 1, 2, 2, 4, 8, 2};
}

/// A model without training.
struct Model {
    weights::Weights weights;
    Inspection inspection;

    explicit Model(Case const& c) : weights(synthetic_weights(c.network, 3)) {
        ModelConfig config;
        config.audio.n_fft = c.n_fft, config.audio.hop_length = c.hop;
        config.audio.dim_t = c.frames;
        config.model.norm = c.norm, config.model.act = c.act;
        auto found = inspect_weights(weights, "a model", config);
        EXPECT_TRUE(found) << found.error().text();
        inspection = std::move(*found);
    }

    Result<std::unique_ptr<Forward>> load(Device const& device,
                                          Precision precision = Precision::fp32) const {
        return Forward::load(weights, inspection, {inspection.chunks[0].frames, precision, device});
    }
};

std::vector<float> noise(index n, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, 0.2F);
    std::vector<float> out(static_cast<std::size_t>(n));
    for (float& v : out) v = normal(random);
    return out;
}

TEST(MusicForward, HasTheSameBitsForAnyThreadsAndBatch) {
    Model const model({small()});
    std::vector<float> first;
    for (int const threads : {1, 2, 3}) {
        auto const f = model.load(Device::cpu(threads));
        ASSERT_TRUE(f);
        auto const mix = noise(3 * 2 * (*f)->samples(), 5);
        std::vector<float> all(mix.size() * 2), alone(all.size());
        ASSERT_TRUE((*f)->separate(mix, all, 3));
        std::size_t const chunk = mix.size() / 3;
        for (std::size_t b = 3; b-- > 0;)
            ASSERT_TRUE((*f)->separate(std::span(mix).subspan(b * chunk, chunk),
                                       std::span(alone).subspan(2 * b * chunk, 2 * chunk), 1));
        EXPECT_EQ(all, alone);
        if (first.empty()) first = all;
        EXPECT_EQ(all, first);
    }
}

TEST(MusicForward, StopsInTheMiddleOfAChunk) {
    Model const model({small()});
    auto const f = model.load(Device::cpu(1));
    ASSERT_TRUE(f);
    auto const mix = noise(2 * (*f)->samples(), 5);
    std::vector<float> whole(mix.size() * 2), out(whole.size());
    ASSERT_TRUE((*f)->separate(mix, whole, 1));
    int asked = 0, most = -1;
    {
        sluice::Run run([&](index) { return asked++ != most; });
        (*f)->ask(&run);
        ASSERT_TRUE((*f)->separate(mix, out, 1));
    }
    EXPECT_EQ(out, whole);
    int const all = asked;
    // Between the layers, at least: first_conv, six blocks of five, two ways, and the head.
    EXPECT_GE(all, 34);
    for (most = 0; most < all - 1; most += 7) {
        asked = 0;
        sluice::Run run([&](index) { return asked++ != most; });
        (*f)->ask(&run);
        auto const stopped = (*f)->separate(mix, out, 1);
        ASSERT_FALSE(stopped);
        EXPECT_EQ(stopped.error().code, Code::cancelled);
        EXPECT_EQ(asked, most + 1);  // the run is not asked again
    }
    (*f)->ask(nullptr);
    ASSERT_TRUE((*f)->separate(mix, out, 1));
    EXPECT_EQ(out, whole);
}

TEST(MusicForward, SaysWhatItNeeds) {
    Model const model({small()});
    auto const f = model.load(Device::cpu(1));
    ASSERT_TRUE(f);
    Memory const m = (*f)->memory();
    EXPECT_GT(m.weights, 4 * model.inspection.parameters * 9 / 10);
    EXPECT_GT(m.maps, 0);
    EXPECT_GE(m.sound, 4 * 3 * 8 * 8 * 16);
    EXPECT_EQ(m.sum(), m.weights + m.maps + m.sound);
    Forward::Wish wish{8};
    wish.device = Device::cpu(1);
    Memory const expected = Forward::expected(small(), wish, 64);
    EXPECT_GT(10 * expected.sum(), 9 * m.sum());
    EXPECT_LT(9 * expected.sum(), 10 * m.sum());
}

TEST(MusicForward, ChoosesAPrecisionThatThereIs) {
    Chosen const chosen = choose_precision(Device::cpu());
    EXPECT_FALSE(chosen.why.empty());
    Model const model({small()});
    Forward::Wish wish{8};
    wish.precision.reset();
    auto const f = Forward::load(model.weights, model.inspection, wish);
    ASSERT_TRUE(f) << f.error().text();
    EXPECT_EQ((*f)->precision(), chosen.precision);
}

TEST(MusicForward, WrongWishesAreExplained) {
    Model model({small()});
    auto const odd = Forward::load(model.weights, model.inspection, {7});
    ASSERT_FALSE(odd);
    EXPECT_NE(odd.error().message.find("multiple of 2"), std::string::npos);
    auto const long_one = Forward::load(model.weights, model.inspection, {index{1} << 40});
    ASSERT_FALSE(long_one);
    EXPECT_EQ(long_one.error().code, Code::out_of_memory);
    auto const set = [&](std::string_view name, std::string const& value) {
        for (Fact& f : model.inspection.facts)
            if (f.name == name) f.value = value;
        return Forward::load(model.weights, model.inspection, {8});
    };
    EXPECT_NE(set("norm", "GroupNorm5").error().message.find("5 groups"), std::string::npos);
    EXPECT_NE(set("norm", "GroupNorm").error().message.find("number of groups"), std::string::npos);
    EXPECT_NE(set("act", "swish").error().message.find("'swish'"), std::string::npos);
    EXPECT_NE(set("act", "elu").error().message.find("'elu'"), std::string::npos);
}

}  // namespace
}  // namespace sluice::music
