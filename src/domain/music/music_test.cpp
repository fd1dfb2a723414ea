// What is said of networks: by their shapes, by their YAML, and where these differ.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/music.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "domain/music/facts.h"
#include "domain/music/file_name.h"

namespace sluice::music {
namespace {

constexpr char yaml[] = R"(audio:
  chunk_size: 261120
  dim_f: 4096
  dim_t: 256
  hop_length: 1024
  n_fft: 8192
  num_channels: 2
  sample_rate: 44100
  min_mean_abs: 0.001
model:
  act: gelu
  bottleneck_factor: 4
  growth: 128
  norm: InstanceNorm
  num_blocks_per_scale: 2
  num_channels: 128
  num_scales: 5
  num_subbands: 4
  scale: !!python/tuple
  - 2
  - 2
training:
  lr: 1.0e-05
  instruments:
  - Vocals
  - Instrumental
  target_instrument: null
inference:
  batch_size: 1
  dim_t: 256
  num_overlap: 8
)";

/// MDX23C-8KFFT-InstVoc_HQ.
Network inst_voc() {
    return {128, 128, 5, 2, 4, 4, 1024, 2};
}

index numbers(std::vector<TensorShape> const& tensors) {
    index n = 0;
    for (TensorShape const& t : tensors) {
        index size = 1;
        for (index const e : t.shape) size *= e;
        n += size;
    }
    return n;
}

TEST(MusicNetwork, OfInstVocHasThePublishedNumbers) {
    auto const tensors = places(inst_voc());
    EXPECT_EQ(tensors.size(), 319u);
    EXPECT_EQ(numbers(tensors), 111'990'272);
    double const macs = cost_of(inst_voc(), 256).macs;
    EXPECT_EQ(std::round(macs / 1e9), 1217);
    EXPECT_NEAR(2 * macs / 1e12, 2.434, 0.0005);
}

TEST(MusicNetwork, OfOtherModelsHasThePublishedNumbers) {
    // MDX23C_D1581, at the chunk of UVR.
    Network const d1581 = {128, 64, 5, 2, 4, 4, 1024, 2};
    EXPECT_NEAR(static_cast<double>(numbers(places(d1581))), 45.81e6, 5e3);
    EXPECT_NEAR(2 * cost_of(d1581, 256).macs / 1e12, 1.669, 0.0005);
    Network const drums = {128, 128, 5, 2, 4, 4, 256, 5};
    EXPECT_EQ(numbers(places(drums)), 109'376'576);
    EXPECT_NEAR(2 * cost_of(drums, 1024).macs / 1e12, 2.303, 0.0005);
    Network const effects = {64, 64, 5, 2, 4, 4, 256, 3};
    EXPECT_NEAR(static_cast<double>(numbers(places(effects))), 27.50e6, 5e3);
    EXPECT_NEAR(2 * cost_of(effects, 256).macs / 1e12, 0.147, 0.0005);
}

TEST(MusicNetwork, IsFoundByItsShapes) {
    Network odd = {6, 2, 2, 3, 2, 1, 24, 3};
    for (Norm const norm : {Norm::none, Norm::per_channel, Norm::batch})
        for (index const time : {1, 2, 3}) {
            odd.norm = norm;
            odd.scale = {time, 2};
            auto const n = network_of(places(odd), "m.ckpt");
            ASSERT_TRUE(n) << n.error().text();
            EXPECT_EQ(n->channels, 6);
            EXPECT_EQ(n->growth, 2);
            EXPECT_EQ(n->scales, 2);
            EXPECT_EQ(n->blocks, 3);
            EXPECT_EQ(n->bottleneck, 2);
            EXPECT_EQ(n->subbands, 1);
            EXPECT_EQ(n->bins, 24);
            EXPECT_EQ(n->stems, 3);
            EXPECT_EQ(n->scale, (std::array<index, 2>{time, 2}));
            EXPECT_EQ(n->norm, norm);
        }
}

// Linear(f, f // bn): several factors give the same layers.
TEST(MusicNetwork, FactorsThatRoundAreFound) {
    for (index const factor : {3, 4, 5, 7}) {
        Network odd = {6, 0, 2, 1, factor, 1, 44, 2};
        auto const n = network_of(places(odd), "m.ckpt");
        ASSERT_TRUE(n) << n.error().text();
        EXPECT_EQ(n->growth, 0);
        for (index bins = 44; bins >= 11; bins /= 2)
            EXPECT_EQ(bins / n->bottleneck, bins / factor) << factor;
        Inspection out;
        out.network = *n;
        ModelConfig c;
        c.model.bottleneck_factor = factor;
        ASSERT_TRUE(add_facts(&c, "m.ckpt", out)) << factor;
        c.model.bottleneck_factor = 2;
        EXPECT_FALSE(add_facts(&c, "m.ckpt", out)) << factor;
    }
}

TEST(MusicNetwork, OthersAreToldByName) {
    struct Case {
        std::vector<char const*> names;
        char const* network;
    };
    for (Case const& c : {
             Case{{"band_split.to_features.0.0.gamma", "layers.0.0.norm.gamma", "final_norm.gamma"},
                  "BS-RoFormer"},
             Case{{"band_split.to_features.0.0.gamma", "layers.0.0.norm.gamma"},
                  "Mel-Band RoFormer"},
             Case{{"encoder.0.conv.weight", "tencoder.0.conv.weight",
                   "crosstransformer.layers.0.linear1.weight"},
                  "HTDemucs"},
             Case{{"encoder.0.conv.weight", "tencoder.0.conv.weight"}, "Hybrid Demucs"},
             Case{{"encoder.0.0.weight", "lstm.lstm.weight_ih_l0"}, "Demucs"},
             Case{{"encoder.0.SDblock.SDlayer.convs.0.weight"}, "SCNet"},
             Case{{"bsrnn.band_split.norm_fc_modules.0.norm.weight"}, "BandIt"},
             Case{{"stg1_low_band_net.enc1.conv1.conv.0.weight"}, "VR (Vocal Remover)"},
             Case{{"first_conv.0.weight", "encoding_blocks.0.tfc.H.0.0.weight"},
                  "MDX-Net (a TFC-TDF U-Net of version 2)"},
             Case{{"BN.0.0.weight", "net.0.band_net.input_norm.weight"}, "Apollo"},
             Case{{"fc1.weight", "lstm.weight_ih_l0"}, "Open-Unmix"},
         }) {
        std::vector<TensorShape> tensors;
        for (char const* const name : c.names) tensors.push_back({name, {4}});
        auto const n = network_of(tensors, "m.ckpt");
        ASSERT_FALSE(n) << c.network;
        EXPECT_NE(n.error().text().find("m.ckpt: this is a "), std::string::npos);
        EXPECT_NE(n.error().text().find(std::string(c.network) + " ("), std::string::npos)
            << n.error().text();
    }
}

TEST(MusicNetwork, EveryTensorHasItsPlace) {
    Network const small = {4, 2, 1, 1, 4, 1, 8, 2};
    auto const whole = places(small);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        auto missing = whole;
        missing.erase(missing.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_FALSE(network_of(missing, "m.ckpt")) << whole[i].name;
        auto wrong = whole;
        wrong[i].shape.push_back(2);
        EXPECT_FALSE(network_of(wrong, "m.ckpt")) << whole[i].name;
        wrong = whole;
        wrong[i].shape[0] += 1;
        EXPECT_FALSE(network_of(wrong, "m.ckpt")) << whole[i].name;
        wrong[i].shape[0] = 0;
        EXPECT_FALSE(network_of(wrong, "m.ckpt")) << whole[i].name;
    }
    auto const message = [](std::vector<TensorShape> const& tensors) {
        auto const n = network_of(tensors, "m.ckpt");
        return n ? std::string() : n.error().text();
    };
    auto more = whole;
    more.push_back({"encoder_blocks.0.extra", {1}});
    EXPECT_NE(message(more).find("'encoder_blocks.0.extra' and 0 others have no place"),
              std::string::npos);
    auto less = whole;
    std::erase_if(less, [](TensorShape const& t) { return t.name.ends_with("tdf.3.bias"); });
    EXPECT_NE(message(less).find("tdf.3.bias' of shape (4) is missing"), std::string::npos);
    auto other = whole;
    other.back().shape[1] = 5;
    EXPECT_NE(message(other).find("has the shape (8, 5, 1, 1) where the others need (8, 4, 1, 1)"),
              std::string::npos);
}

Result<Inspection> facts(std::string const& text, Network const& network = inst_voc()) {
    Inspection out;
    out.network = network;
    SLUICE_TRY(ModelConfig const c, parse_config(text, "m.yaml"));
    SLUICE_CHECK(add_facts(&c, "m.ckpt", out));
    return out;
}

std::string changed(std::string const& from, std::string const& to) {
    std::string out = yaml;
    out.replace(out.find(from), from.size(), to);
    return out;
}

std::string message(std::string const& text) {
    auto const f = facts(text);
    return f ? std::string() : f.error().text();
}

TEST(MusicConfig, IsReadAsPublished) {
    auto const c = parse_config(yaml, "m.yaml");
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(c->audio.n_fft, 8192);
    EXPECT_EQ(c->model.scale, (std::array<index, 2>{2, 2}));
    EXPECT_EQ(c->instruments, (std::vector<std::string>{"Vocals", "Instrumental"}));
    EXPECT_FALSE(c->target_instrument);
    EXPECT_TRUE(c->notes.empty());
    auto const f = facts(yaml);
    ASSERT_TRUE(f) << f.error().text();
    ASSERT_EQ(f->chunks.size(), 1u);
    EXPECT_EQ(f->chunks[0].frames, 256);
    for (Fact const& fact : f->facts) EXPECT_NE(fact.origin, Origin::assumed) << fact.name;
}

TEST(MusicConfig, IsNotNeeded) {
    Inspection out;
    out.network = inst_voc();
    ASSERT_TRUE(add_facts(nullptr, "m.ckpt", out));
    EXPECT_EQ(out.stems, (std::vector<std::string>{"stem_1", "stem_2"}));
    EXPECT_EQ(out.notes.size(), 1u);
    EXPECT_EQ(out.chunks[0].samples, 261120);
}

TEST(MusicConfig, IsReadDifferentlyByMsstAndUvr) {
    auto const f = facts(changed("  dim_t: 256\n  num_overlap", "  dim_t: 512\n  num_overlap"));
    ASSERT_TRUE(f) << f.error().text();
    ASSERT_EQ(f->chunks.size(), 2u);
    EXPECT_EQ(f->chunks[0].samples, 261120);
    EXPECT_EQ(f->chunks[1].samples, 511 * 1024);
    EXPECT_EQ(f->notes.size(), 1u);
}

TEST(MusicConfig, WrongOnesAreExplained) {
    struct Case {
        std::string text;
        char const* part;
    };
    for (Case const& c : {
             Case{changed("growth: 128", "growth: 64"),
                  "the tensors say growth = 128, the YAML says 64"},
             Case{changed("n_fft: 8192", "n_fft: 2048"), "dim_f = 4096 does not fit n_fft = 2048"},
             Case{changed("n_fft: 8192", "n_fft: x"), "m.yaml: line 6: audio.n_fft is 'x'"},
             Case{changed("n_fft: 8192", "n_fft: -1"), "line 6: audio.n_fft is '-1'"},
             Case{changed("n_fft: 8192", "n_fft: 99999999999999999999"), "line 6"},
             Case{changed("n_fft: 8192", "n_fft: 8192\n  n_fft: 4096"),
                  "'audio.n_fft' is there twice"},
             Case{changed("num_channels: 2", "num_channels: 1"), "always has 2"},
             Case{changed("  - 2\n", ""), "line 19: model.scale"},
             Case{changed("  - Vocals\n", ""), "the tensors have 2 stems, the YAML names 1"},
             Case{changed("- Instrumental", "- Vocals"),
                  "line 26: training.instruments has 'Vocals' twice"},
             Case{changed("- Instrumental", "- vOCALS"),
                  "line 26: training.instruments has 'Vocals' and 'vOCALS' (each stem is a file"},
             Case{changed("model:", "  <<: {n_fft: 1}\n  <<: {hop_length: 1}\nmodel:"),
                  "line 11: 'audio.<<' is there twice"},
             Case{changed("model:", "  <<: 3\nmodel:"),
                  "line 10: '<<' merges neither a section of keys nor a list"},
             Case{changed("model:", "  <<: [{n_fft: 1}, 3]\nmodel:"),
                  "line 10: '<<' merges something other than a section"},
             Case{changed("model:", "  <<: {n_fft: 1, n_fft: 2}\nmodel:"),
                  "line 10: 'audio.n_fft' is there twice"},
             Case{changed("growth: 128", "growth: -1"), "a whole number from 0 to"},
             Case{changed("target_instrument: null", "target_instrument: Drums"),
                  "not one of the instruments"},
             Case{changed("chunk_size: 261120", "chunk_size: 260096"), "255 frames"},
             Case{changed("chunk_size: 261120", "chunk_size: 7168"), "a multiple of 32"},
             Case{changed("norm: InstanceNorm", "norm: BatchNorm"),
                  "norm = InstanceNorm, the YAML says BatchNorm"},
             Case{"a: [", "m.yaml: line "},
             Case{"just words", "no sections"},
             Case{"audio: 3", "audio is not a section"},
             Case{std::string(2000, '['), "line 1: levels are nested too deeply"},
             Case{std::string(2 << 20, ' '), "more than 1 MiB"},
         })
        EXPECT_NE(message(c.text).find(c.part), std::string::npos) << c.part << "\n"
                                                                   << message(c.text);
    EXPECT_FALSE(read_config("/there/is/none.yaml"));
}

// As PyYAML 6 resolves them: a section's own keys first, then the first of a list.
TEST(MusicConfig, MergeKeysAreResolved) {
    auto const merged = [](std::string const& text) {
        auto const c = parse_config(text, "m.yaml");
        EXPECT_TRUE(c) << c.error().text();
        EXPECT_TRUE(!c || c->notes.empty()) << c->notes[0];
        return c ? *c : ModelConfig{};
    };
    EXPECT_EQ(merged("model:\n  <<: {act: relu}\n").model.act, "relu");
    EXPECT_EQ(merged("model:\n  <<: {act: relu}\n  act: gelu\n").model.act, "gelu");
    EXPECT_EQ(merged("model:\n  act: gelu\n  <<: {act: relu}\n").model.act, "gelu");
    EXPECT_EQ(merged("model: {<<: [{act: relu}, {act: gelu, norm: BatchNorm}]}").model.act, "relu");
    EXPECT_EQ(merged("model: {<<: [{act: relu}, {act: gelu, norm: BatchNorm}]}").model.norm,
              "BatchNorm");
    EXPECT_EQ(merged("model: {<<: {<<: {act: relu, growth: 3}, growth: 4}}").model.growth, 4);
    EXPECT_EQ(merged("audio: &a {n_fft: 64}\ninference:\n  <<: &b {dim_t: 8}\n"
                     "training: {instruments: [x]}\nname: {<<: *a}\n")
                  .inference.dim_t,
              8);
    ModelConfig const root =
        merged("<<: {audio: {n_fft: 64}, model: {act: relu}}\nmodel: {act: gelu}");
    EXPECT_EQ(root.audio.n_fft, 64);
    EXPECT_EQ(root.model.act, "gelu");
    EXPECT_EQ(merged("model: {<<: {scale: [1, 2]}}").model.scale, (std::array<index, 2>{1, 2}));
    EXPECT_EQ(
        merged("training: {<<: {instruments: [a, b], target_instrument: b}}").target_instrument,
        "b");
    // In quotes it is a key, and an unknown one.
    auto const quoted = parse_config("model: {'<<': {act: relu}}", "m.yaml");
    ASSERT_TRUE(quoted);
    EXPECT_FALSE(quoted->model.act);
    EXPECT_EQ(quoted->notes.size(), 1u);
    // Aliases that repeat each other: 10^9 entries.
    std::string bomb = "a0: &a0 {k: 1}\n";
    for (int i = 1; i < 10; ++i) {
        std::string const alias = "*a" + std::to_string(i - 1);
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " {<<: [" + alias;
        for (int k = 1; k < 10; ++k) bomb += ", " + alias;
        bomb += "]}\n";
    }
    auto const exploded = parse_config(bomb + "model: {<<: *a9}", "m.yaml");
    ASSERT_FALSE(exploded);
    EXPECT_NE(exploded.error().message.find("repeat too much"), std::string::npos);
    std::string deep = "{act: relu}";
    for (int i = 0; i < 30; ++i) deep = "{<<: " + deep + "}";
    EXPECT_FALSE(parse_config("model: " + deep, "m.yaml"));
}

TEST(MusicConfig, MisspeltKeysAreTold) {
    auto const note = [](std::string const& text) {
        auto const c = parse_config(text, "m.yaml");
        return c && c->notes.size() == 1 ? c->notes[0] : c ? "none" : c.error().text();
    };
    EXPECT_EQ(note("audio: {chunk_sise: 3}"),
              "m.yaml, line 1: 'audio.chunk_sise' is not known and was not used; did you mean "
              "'chunk_size'?");
    EXPECT_NE(note("audio: {hop_lenght: 3}").find("'hop_length'?"), std::string::npos);
    EXPECT_NE(note("inference: {num_overlp: 3}").find("'num_overlap'?"), std::string::npos);
    EXPECT_NE(note("model: {Act: relu}").find("'act'?"), std::string::npos);
    EXPECT_NE(note("audio: {num_overlap: 3}").find("'inference.num_overlap'?"), std::string::npos);
    EXPECT_NE(note("modl: {act: relu}").find("'model'?"), std::string::npos);
    EXPECT_NE(note("training: {instrument: [a]}").find("'instruments'?"), std::string::npos);
    EXPECT_EQ(note("training: {lr: 3, batch_size: 4}"), "none");
    EXPECT_EQ(note("model: {loud: 3}"),
              "m.yaml, line 1: 'model.loud' is not known and was not used");
    EXPECT_NE(note("inference: {normalize: true}").find("a mean of 0"), std::string::npos);
    EXPECT_EQ(note("inference: {normalize: False}"), "none");
}

TEST(MusicConfig, NoTargetIsNone) {
    for (char const* const word : {"''", "\"\"", "null", "~", "false", "No"})
        EXPECT_FALSE(
            parse_config(
                std::string("training: {instruments: [a, b], target_instrument: ") + word + "}",
                "m.yaml")
                ->target_instrument)
            << word;
    EXPECT_EQ(parse_config("training: {target_instrument: 'No'}", "m.yaml")->target_instrument,
              "No");
}

TEST(MusicConfig, NamesOfOneFileAreRefused) {
    EXPECT_TRUE(are_one_file("vocals", "Vocals"));
    EXPECT_TRUE(are_one_file("\xc3\x84rger", "\xc3\xa4RGER"));  // Ä, ä
    EXPECT_TRUE(are_one_file("caf\xc3\xa9", "cafe\xcc\x81"));   // é, e and an accent
    EXPECT_TRUE(are_one_file("\xd0\x93\xd0\x9e\xd0\x9b", "\xd0\xb3\xd0\xbe\xd0\xbb"));
    EXPECT_TRUE(are_one_file("\xce\xa3\xce\x86", "\xcf\x83\xce\xac"));
    EXPECT_TRUE(are_one_file("a/b", "A_b"));
    EXPECT_TRUE(are_one_file("a\tb", "a_b"));
    EXPECT_TRUE(are_one_file(".x", "_.x"));
    EXPECT_FALSE(are_one_file("vocals", "vocal"));
    EXPECT_FALSE(are_one_file("caf\xc3\xa9", "cafe"));
    EXPECT_FALSE(are_one_file("caf\xc3\xa9", "caf\xc3\xa8"));
    EXPECT_FALSE(are_one_file("a-b", "a_b"));
}

// Whatever changes the stems and no tensor tells must be said by somebody.
TEST(MusicConfig, NoKeyIsGuessed) {
    std::string const lines[] = {
        "  chunk_size: 261120\n  dim_f", "  hop_length: 1024\n", "  n_fft: 8192\n",
        "  sample_rate: 44100\n",        "  act: gelu\n",        "  norm: InstanceNorm\n"};
    std::string const keys[] = {"chunk_size", "hop_length", "n_fft", "sample_rate", "act", "norm"};
    std::string const values[] = {"261120", "1024", "8192", "44100", "relu", "GroupNorm8"};
    for (std::size_t i = 0; i < std::size(keys); ++i) {
        std::string text = changed(lines[i], i == 0 ? "  dim_f" : "");
        for (int k = 0; i == 0 && k < 2; ++k) {
            std::size_t const at = text.find("  dim_t: 256\n");
            text.erase(at, 13);
        }
        ModelConfig const without = parse_config(text, "m.yaml").value();
        Inspection out;
        out.network = inst_voc();
        ASSERT_TRUE(add_facts(&without, "m.ckpt", out)) << keys[i];
        Status const refused = need_facts(out, &without, false, "m.ckpt");
        ASSERT_FALSE(refused) << keys[i];
        EXPECT_NE(refused.error().text().find("m.ckpt: comes without " + keys[i] +
                                              " (the tensors do not say it)"),
                  std::string::npos)
            << refused.error().text();
        EXPECT_NE(refused.error().text().find("--assume " + keys[i] + "=... ("), std::string::npos);
        EXPECT_EQ(bool(need_facts(out, &without, true, "m.ckpt")), i == 0);
        ModelConfig const whole = assuming(without, {keys[i] + "=" + values[i]}).value();
        Inspection given;
        given.network = inst_voc();
        ASSERT_TRUE(add_facts(&whole, "m.ckpt", given)) << keys[i];
        EXPECT_TRUE(need_facts(given, &whole, false, "m.ckpt")) << keys[i];
        auto const fact = std::ranges::find(given.facts, keys[i], &Fact::name);
        EXPECT_EQ(fact->origin, Origin::given) << keys[i];
    }
    ModelConfig const nameless =
        parse_config(changed("  instruments:\n  - Vocals\n  - Instrumental\n", ""), "m.yaml")
            .value();
    Inspection out;
    out.network = inst_voc();
    ASSERT_TRUE(add_facts(&nameless, "m.ckpt", out));
    EXPECT_FALSE(need_facts(out, &nameless, false, "m.ckpt"));
    ModelConfig const named = assuming(nameless, {"instruments=a,b"}).value();
    Inspection all;
    all.network = inst_voc();
    ASSERT_TRUE(add_facts(&named, "m.ckpt", all));
    EXPECT_TRUE(need_facts(all, &named, false, "m.ckpt"));
    EXPECT_EQ(all.stems, (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(assumptions_of(all).empty());
}

TEST(MusicConfig, WhatIsAssumedMakesSense) {
    ModelConfig const c = parse_config(yaml, "m.yaml").value();
    auto const problem = [&](std::string const& word) {
        auto const r = assuming(c, {word});
        return r ? std::string() : r.error().text();
    };
    EXPECT_EQ(problem("act=gelu"), "") << "the YAML says the same";
    EXPECT_NE(problem("act=relu").find("the YAML has another value"), std::string::npos);
    EXPECT_NE(problem("growth=4").find("tensors leave only these keys open"), std::string::npos);
    EXPECT_NE(problem("nfft=4").find("did you mean 'n_fft'?"), std::string::npos);
    EXPECT_NE(problem("act").find("not KEY=VALUE"), std::string::npos);
    EXPECT_NE(problem("act=").find("not KEY=VALUE"), std::string::npos);
    EXPECT_NE(assuming(ModelConfig{}, {"n_fft=x"}).error().message.find("whole number"),
              std::string::npos);
    EXPECT_FALSE(assuming(ModelConfig{}, {"instruments=a,A"}));
    EXPECT_FALSE(assuming(ModelConfig{}, {"instruments=a,"}));
    EXPECT_FALSE(assuming(ModelConfig{}, {"instruments=a,b", "target_instrument=c"}));
    // What the tensors contradict.
    ModelConfig const batch = assuming(ModelConfig{}, {"norm=BatchNorm"}).value();
    Inspection out;
    out.network = inst_voc();
    EXPECT_FALSE(add_facts(&batch, "m.ckpt", out));
}

// A model's file can hold its configuration: names are those of strangers.
TEST(MusicConfig, NamesHaveNothingThatATerminalObeys) {
    auto const c = parse_config(
        "training: {instruments: [\"a\\e[2J\", \"b\xc2\x9b\", \"c\xff\", \"d\xc3\xa9\", \"" +
            std::string(119, 'x') + "\xc3\xa9y\"]}",
        "m.yaml");
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(c->instruments, (std::vector<std::string>{"a?[2J", "b?", "c?", "d\xc3\xa9",
                                                        std::string(119, 'x') + "\xc3\xa9"}));
}

TEST(MusicConfig, AChunkHasSamples) {
    Network flat = inst_voc();
    flat.scale = {1, 2};
    auto const f = facts("audio: {hop_length: 1024}\ninference: {dim_t: 1}", flat);
    ASSERT_FALSE(f);
    EXPECT_NE(f.error().message.find("a chunk of 0 samples"), std::string::npos);
}

TEST(MusicConfig, UnknownKeysAreTold) {
    auto const c = parse_config(changed("model:", "  loud: 1\nwide: 2\nmodel:"), "m.yaml");
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(c->notes, (std::vector<std::string>{
                            "m.yaml, line 10: 'audio.loud' is not known and was not used",
                            "m.yaml, line 11: 'wide' is not known and was not used"}));
}

// A safetensors file of zeros for a network.
std::string model_file(Network const& network, std::string const& type) {
    std::string header = "{";
    index at = 0;
    for (TensorShape const& t : places(network)) {
        std::string shape;
        for (index const e : t.shape) shape += (shape.empty() ? "" : ",") + std::to_string(e);
        index const end = at + 4 * numbers({t});
        header += (at > 0 ? ",\"" : "\"") + t.name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" +
                  shape + "],\"data_offsets\":[" + std::to_string(at) + "," + std::to_string(end) +
                  "]}";
        at = end;
    }
    header += "}";
    std::string const path = testing::TempDir() + "/sluice_music_" + type + ".safetensors";
    std::ofstream file(path, std::ios::binary);
    for (std::size_t i = 0, n = header.size(); i < 8; ++i, n >>= 8)
        file.put(static_cast<char>(n & 255));
    file << header << std::string(static_cast<std::size_t>(at), '\0');
    return path;
}

TEST(MusicInspect, SaysWhatAFileIs) {
    Network const small = {4, 2, 1, 1, 4, 1, 8, 2};
    auto const i = inspect(model_file(small, "F32"), {});
    ASSERT_TRUE(i) << i.error().text();
    EXPECT_EQ(i->container, "safetensors");
    EXPECT_EQ(i->tensors, 48);
    EXPECT_EQ(i->parameters, numbers(places(small)));
    EXPECT_EQ(i->element_types, (std::vector<std::string>{"float32"}));
    EXPECT_GT(i->memory(i->chunks[0], 4), 4.0 * static_cast<double>(i->parameters));
    auto const quantised = inspect(model_file(small, "I32"), {});
    ASSERT_FALSE(quantised);
    EXPECT_NE(quantised.error().message.find("numbers of type int32"), std::string::npos);
}

TEST(MusicConvert, KeepsTheConfiguration) {
    Network const small = {4, 2, 1, 1, 4, 1, 8, 2};
    std::string const model = model_file(small, "F32"), folder = testing::TempDir();
    std::string const config = folder + "/sluice_music.yaml",
                      out = folder + "/sluice_whole.safetensors";
    std::ofstream(config) << "audio: {chunk_size: 112, hop_length: 16, n_fft: 64}\n"
                             "training: {instruments: [a, b]}\n";
    std::filesystem::remove(out);
    auto const done = convert(model, config, out);
    ASSERT_TRUE(done) << done.error().text();
    EXPECT_EQ(done->stems, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(done->parameters, numbers(places(small)));
    EXPECT_NE(convert(model, config, out).error().message.find("exists already"),
              std::string::npos);
    EXPECT_NE(convert(out, {}, out, true).error().message.find("model itself"), std::string::npos);
    // Metadata are UTF-8: other bytes could not be kept as they are.
    std::string const latin = folder + "/sluice_latin.yaml";
    std::ofstream(latin) << "# caf\xe9\naudio: {hop_length: 16}\n";
    auto const refused = convert(model, latin, folder + "/sluice_latin.safetensors", true);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("is invalid UTF-8"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder + "/sluice_latin.safetensors"));
    // The configuration stays when the file is converted again.
    std::string const again = folder + "/sluice_again.safetensors";
    ASSERT_TRUE(convert(out, {}, again, true));
    EXPECT_EQ(inspect(again, {})->stems, done->stems);
}

}  // namespace
}  // namespace sluice::music
