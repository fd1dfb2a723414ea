// Synthetic models: published sizes, the same numbers however they are read, and errors.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/synthetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>

namespace sluice::music {
namespace {

std::string scratch(std::string const& name) {
    return testing::TempDir() + "sluice_synthetic_" + name + ".safetensors";
}

std::vector<float> numbers_of(weights::Weights const& w, std::string const& name) {
    auto const bytes = weights::read_tensor(w, *w.find(name)).value();
    std::vector<float> v(bytes.size() / 4);
    std::memcpy(v.data(), bytes.data(), bytes.size());
    return v;
}

TEST(MusicSynthetic, PublishedConfigurationsHaveThePublishedNumbers) {
    struct {
        char const* name;
        double parameters, tflop;
    } const published[] = {{"instvoc-hq", 111.99e6, 2.434},
                           {"full-band", 111.99e6, 2.436},
                           {"musdb18", 111.99e6, 2.436},
                           {"sdx23", 30.12e6, 0.656},
                           {"drumsep", 109.376576e6, 2.303}};
    ASSERT_EQ(published_configs().size(), std::size(published) + 2);  // d1581 and tiny
    for (auto const& p : published) {
        ModelConfig const c = published_config(p.name).value();
        Network const n = network_of(c, p.name).value();
        double numbers = 0;
        for (TensorShape const& t : places(n)) {
            double size = 1;
            for (index const e : t.shape) size *= static_cast<double>(e);
            numbers += size;
        }
        EXPECT_NEAR(numbers, p.parameters, 1e4) << p.name;
        EXPECT_NEAR(2 * cost_of(n, *c.audio.chunk_size / *c.audio.hop_length + 1).macs / 1e12,
                    p.tflop, 6e-4)
            << p.name;
    }
}

TEST(MusicSynthetic, ConfigurationsSurviveYaml) {
    for (auto const& [name, title] : published_configs()) {
        ModelConfig const c = published_config(name).value();
        ModelConfig const again = parse_config(yaml_of(c), name).value();
        EXPECT_TRUE(again.notes.empty());
        EXPECT_EQ(yaml_of(again), yaml_of(c));
        EXPECT_EQ(again.instruments, c.instruments);
        EXPECT_EQ(again.model.scale, c.model.scale);
        EXPECT_EQ(again.audio.chunk_size, c.audio.chunk_size);
    }
    ModelConfig odd = published_config("tiny").value();
    odd.instruments = {"it's: #1", "- b"};
    odd.target_instrument = "- b";
    odd.model.scale = {1, 2};
    odd.inference = {};
    ModelConfig const again = parse_config(yaml_of(odd), "odd").value();
    EXPECT_EQ(again.instruments, odd.instruments);
    EXPECT_EQ(again.target_instrument, odd.target_instrument);
    EXPECT_EQ(again.model.scale, odd.model.scale);
}

TEST(MusicSynthetic, WeightsAreThoseOfTheirSeedHoweverTheyAreRead) {
    Network network = network_of(published_config("tiny").value(), "tiny").value();
    network.norm = Norm::batch;
    auto const w = synthetic_weights(network, 3);
    auto const whole = weights::read_tensor(w, w.tensors[1]).value();
    for (std::uint64_t const from : {0u, 1u, 2u, 3u, 5u, 30u}) {
        std::vector<std::byte> part(7);
        ASSERT_TRUE(w.file->read(w.tensors[1].at + from, part));
        EXPECT_EQ(std::memcmp(part.data(), whole.data() + from, 7), 0) << from;
    }
    // Across all tensors at once, from a place within a number.
    std::vector<std::byte> all(static_cast<std::size_t>(w.file->size() - 1));
    ASSERT_TRUE(w.file->read(1, all));
    for (weights::Tensor const& t : w.tensors) {
        auto const one = weights::read_tensor(w, t).value();
        std::size_t const skip = t.at == 0;
        EXPECT_EQ(std::memcmp(all.data() + t.at - (t.at > 0), one.data() + skip, one.size() - skip),
                  0)
            << t.name;
    }
    EXPECT_EQ(whole, weights::read_tensor(synthetic_weights(network, 3), w.tensors[1]).value());
    EXPECT_NE(whole, weights::read_tensor(synthetic_weights(network, 4), w.tensors[1]).value());
}

// Uniform numbers of the width that was promised, and no two tensors alike.
TEST(MusicSynthetic, WeightsAreSpreadAsPromised) {
    Network const network = network_of(published_config("tiny").value(), "tiny").value();
    auto const w = synthetic_weights(network, 1);
    auto const conv = numbers_of(w, "bottleneck_block.blocks.0.tfc1.2.weight");
    double const bound = 1 / std::sqrt(40.0 * 9);
    double sum = 0, squares = 0;
    for (float const v : conv) {
        ASSERT_LE(std::abs(v), bound * 1.0001);
        sum += v, squares += v * v;
    }
    auto const n = static_cast<double>(conv.size());
    EXPECT_NEAR(sum / n, 0, 4 * bound / std::sqrt(3 * n));
    EXPECT_NEAR(squares / n, bound * bound / 3, 0.05 * bound * bound);
    EXPECT_NE(conv, numbers_of(w, "bottleneck_block.blocks.1.tfc1.2.weight"));
    // [16][32]: the shortcut of a decoder carries both of its inputs.
    auto const carried = numbers_of(w, "decoder_blocks.2.tfc_tdf.blocks.0.shortcut.weight");
    for (std::size_t o = 0; o < 16; ++o)
        for (std::size_t i = 0; i < 32; ++i)
            EXPECT_NEAR(carried[32 * o + i], i % 16 == o ? 0.7 : 0, 0.045);
    for (float const v : numbers_of(w, "bottleneck_block.blocks.0.tfc1.0.weight")) {
        EXPECT_GE(v, 0.75F);
        EXPECT_LE(v, 1.25F);
    }
}

TEST(MusicSynthetic, FilesAreModels) {
    std::string const path = scratch("file");
    ModelConfig const config = published_config("tiny").value();
    auto const written = synthesize(config, 5, path, true);
    ASSERT_TRUE(written) << written.error().text();
    EXPECT_EQ(written->stems, config.instruments);
    EXPECT_EQ(written->chunks.front().samples, 44800);
    EXPECT_TRUE(written->notes.empty());
    auto const file = weights::open_weights(path).value();
    auto const made = synthetic_weights(written->network, 5);
    for (weights::Tensor const& t : made.tensors)
        EXPECT_EQ(weights::read_tensor(file, *file.find(t.name)).value(),
                  weights::read_tensor(made, t).value());
    EXPECT_FALSE(synthesize(config, 5, path));
    std::filesystem::remove(path);
}

TEST(MusicSynthetic, ConfigurationsThatSayTooLittleAreRefused) {
    EXPECT_FALSE(published_config("mdx24"));
    auto const error_of = [](auto const& change) {
        ModelConfig c = published_config("tiny").value();
        change(c);
        auto const n = network_of(c, "x.yaml");
        return n ? std::string() : n.error().text();
    };
    EXPECT_NE(error_of([](ModelConfig& c) { c.model.growth.reset(); }).find("model.growth"),
              std::string::npos);
    EXPECT_NE(error_of([](ModelConfig& c) { c.instruments.clear(); }).find("training.instruments"),
              std::string::npos);
    EXPECT_NE(error_of([](ModelConfig& c) { c.audio.dim_f = 255; }).find("dim_f"),
              std::string::npos);
    EXPECT_NE(error_of([](ModelConfig& c) { c.model.num_scales = 1 << 20; }), "");
    EXPECT_NE(error_of([](ModelConfig& c) { c.model.num_scales = 9; }), "");
    EXPECT_NE(error_of([](ModelConfig& c) { c.model.num_channels = 1 << 24; }), "");
    EXPECT_NE(error_of([](ModelConfig& c) { c.model.bottleneck_factor = 1 << 20; }), "");
}

}  // namespace
}  // namespace sluice::music
