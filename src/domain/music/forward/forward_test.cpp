// The forward pass beside its slow twin, stage by stage: norms, activations, scales, sub-bands,
// stems. SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/forward.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "domain/music/forward/slow_test.h"

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

template <class Number>
void append(std::string& out, Number const& n) {
    out.append(reinterpret_cast<char const*>(&n), sizeof n);
}

/// A model with random weights: its file, its configuration, and what the twin reads.
struct Model {
    std::string file = testing::TempDir() + "/sluice_forward.safetensors";
    std::string yaml = testing::TempDir() + "/sluice_forward.yaml";
    SlowModel slow;
    Inspection inspection;

    explicit Model(Case const& c) {
        Network const& n = c.network;
        slow.network = n;
        std::mt19937 random(3);
        std::normal_distribution<float> normal(0.0F, 1.0F);
        std::string header = "{", data;
        for (TensorShape const& t : places(n)) {
            std::string shape;
            index size = 1, reads = 1;
            for (index const e : t.shape) {
                shape += (shape.empty() ? "" : ",") + std::to_string(e);
                reads = size == 1 ? 1 : reads * e;
                size *= e;
            }
            if (t.shape.size() > 1) reads = size / t.shape[0];
            std::size_t const begin = data.size();
            std::vector<double>& kept = slow.tensors[t.name];
            for (index i = 0; i < size; ++i) {
                float v = normal(random) / std::sqrt(static_cast<float>(std::max<index>(1, reads)));
                if (t.shape.size() == 1) v = 0.3F * v;
                if (t.shape.size() == 1 && !t.name.ends_with("bias")) v += 1;
                if (t.name.ends_with("running_var")) v = 0.5F + std::abs(v);
                kept.push_back(static_cast<double>(v));
                append(data, v);
            }
            header += (begin > 0 ? ",\"" : "\"") + t.name + "\":{\"dtype\":\"F32\",\"shape\":[" +
                      shape + "],\"data_offsets\":[" + std::to_string(begin) + "," +
                      std::to_string(data.size()) + "]}";
        }
        header += "}";
        std::string bytes;
        append(bytes, static_cast<std::uint64_t>(header.size()));
        std::ofstream(file, std::ios::binary) << bytes << header << data;
        std::ofstream(yaml) << "audio: {n_fft: " << c.n_fft << ", hop_length: " << c.hop
                            << ", dim_t: " << c.frames << "}\nmodel: {norm: " << c.norm
                            << ", act: " << c.act << "}\n";
        auto found = inspect(file, yaml);
        EXPECT_TRUE(found) << found.error().text();
        inspection = std::move(*found);
        auto settings = settings_of(inspection, file);
        EXPECT_TRUE(settings) << settings.error().text();
        slow.settings = *settings;
    }

    Result<std::unique_ptr<Forward>> load(Device const& device,
                                          Precision precision = Precision::fp32) const {
        return Forward::load(file, inspection, {inspection.chunks[0].frames, precision, device});
    }
};

std::vector<float> noise(index n, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, 0.2F);
    std::vector<float> out(static_cast<std::size_t>(n));
    for (float& v : out) v = normal(random);
    return out;
}

class Compared {
  public:
    void add(double right, double found) {
        signal_ += right * right;
        noise_ += (right - found) * (right - found);
    }
    double snr() const { return 10 * std::log10(signal_ / std::max(noise_, 1e-300)); }

  private:
    double signal_ = 0, noise_ = 0;
};

double number_at(nn::Map const& m, index i) {
    if (m.element == nn::Element::f32) return static_cast<double>(m.pixels<float const>().data[i]);
    return static_cast<double>(static_cast<float>(m.pixels<nn::Bf16 const>().data[i]));
}

// Whether height of the twin's is frequency there.
bool turned(std::string_view stage) {
    return stage == "mix" || stage == "first_conv" || stage == "gate" || stage == "final_conv";
}

double snr_of(nn::Map const& m, SlowTensor const& t, bool turned) {
    EXPECT_EQ(m.channels, t.channels);
    EXPECT_EQ(m.height, turned ? t.width : t.height);
    EXPECT_EQ(m.width, turned ? t.height : t.width);
    Compared all;
    for (index h = 0; h < m.height; ++h)
        for (index w = 0; w < m.width; ++w)
            for (index c = 0; c < m.channels; ++c)
                all.add(turned ? t.at(c, w, h) : t.at(c, h, w),
                        number_at(m, (h * m.width + w) * m.channels + c));
    return all.snr();
}

void compare(Case const& c, Device const& device, double least,
             Precision precision = Precision::fp32) {
    Model const model(c);
    auto const forward = model.load(device, precision);
    ASSERT_TRUE(forward) << forward.error().text();
    Forward& f = **forward;
    auto const mix = noise(2 * f.samples(), 5);
    std::vector<float> out(mix.size() * static_cast<std::size_t>(f.stems()));
    std::map<std::string, SlowTensor> stages;
    auto const right = separate_slowly(model.slow, mix, model.inspection.chunks[0].frames, stages);
    std::size_t seen = 0;
    auto const done = f.separate_watched(mix, out, [&](std::string_view stage, nn::Map const& map) {
        ++seen;
        auto const twin = stages.find(std::string(stage));
        ASSERT_NE(twin, stages.end()) << stage;
        EXPECT_GT(snr_of(map, twin->second, turned(stage)), least) << stage;
    });
    ASSERT_TRUE(done) << done.error().text();
    EXPECT_EQ(seen, stages.size());
    ASSERT_EQ(out.size(), right.size());
    Compared all;
    for (std::size_t i = 0; i < out.size(); ++i) all.add(right[i], static_cast<double>(out[i]));
    EXPECT_GT(all.snr(), least);
}

TEST(MusicForward, IsTheSlowTwinsForEveryNorm) {
    for (Norm const norm : {Norm::none, Norm::batch, Norm::per_channel}) {
        Case c{small()};
        c.network.norm = norm;
        c.norm = norm == Norm::batch ? "BatchNorm" : norm == Norm::none ? "none" : "InstanceNorm";
        SCOPED_TRACE(c.norm);
        compare(c, Device::cpu(2), 105);
    }
    compare({small(), "GroupNorm2"}, Device::cpu(2), 105);
    compare({small(), "GroupNorm4"}, Device::cpu(2), 105);
}

TEST(MusicForward, IsTheSlowTwinsForEveryActivation) {
    for (std::string const act : {"gelu", "relu", "elu1.0", "elu0.25"}) {
        SCOPED_TRACE(act);
        compare({small(), "InstanceNorm", act}, Device::cpu(2), 105);
    }
}

TEST(MusicForward, IsTheSlowTwinsForOddShapes) {
    std::vector<Case> cases;
    for (std::array<index, 2> const scale :
         {std::array<index, 2>{1, 2}, {2, 1}, {4, 2}, {1, 4}, {3, 2}}) {
        Case c{small()};
        c.network.scale = scale;
        c.frames = scale[0] == 3 ? 9 : 8;
        cases.push_back(c);
    }
    for (index const bands : {1, 2, 6}) {
        Case c{small()};
        c.network.subbands = bands;
        c.n_fft = bands * 16 + 8;
        c.hop = c.n_fft / 4;
        cases.push_back(c);
    }
    for (index const stems : {1, 3}) cases.push_back({{8, 4, 1, 2, 2, 4, 8, stems}});
    // Two levels with one block, three blocks, other numbers of channels.
    cases.push_back({{8, 8, 2, 1, 1, 4, 8, 2}});
    cases.push_back({{8, 4, 1, 3, 2, 4, 8, 2}});
    cases.push_back({{7, 3, 1, 2, 3, 4, 12, 2}, "InstanceNorm", "gelu", 96, 24});
    cases.push_back({{32, 16, 1, 1, 2, 4, 8, 2}});
    for (Case const& c : cases) {
        SCOPED_TRACE(fmt::format("{} {} {} {}", c.network.scale[0], c.network.scale[1],
                                 c.network.subbands, c.network.channels));
        compare(c, Device::cpu(2), 100);
    }
}

TEST(MusicForward, OfTheReferenceDeviceIsTheSlowTwins) {
    compare({small()}, Device::reference(), 120);
}

TEST(MusicForward, InBf16IsTheSlowTwinsNearly) {
    if (!nn::multiplies_bf16()) GTEST_SKIP() << "this processor does not multiply bf16";
    compare({small()}, Device::cpu(2), 30, Precision::bf16);
    compare({{32, 16, 1, 1, 2, 4, 8, 2}}, Device::cpu(2), 30, Precision::bf16);
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
    wish.memory = expected.sum();
    EXPECT_TRUE(Forward::load(model.file, model.inspection, wish));
    wish.memory = expected.sum() - 1;
    auto const less = Forward::load(model.file, model.inspection, wish);
    ASSERT_FALSE(less);
    EXPECT_EQ(less.error().code, Code::out_of_memory);
    EXPECT_NE(less.error().message.find("are allowed"), std::string::npos);
}

TEST(MusicForward, ChoosesAPrecisionThatThereIs) {
    Chosen const chosen = choose_precision();
    EXPECT_FALSE(chosen.why.empty());
    Model const model({small()});
    Forward::Wish wish{8};
    wish.precision.reset();
    auto const f = Forward::load(model.file, model.inspection, wish);
    ASSERT_TRUE(f) << f.error().text();
    EXPECT_EQ((*f)->precision(), chosen.precision);
}

TEST(MusicForward, WrongWishesAreExplained) {
    Model model({small()});
    auto const odd = Forward::load(model.file, model.inspection, {7});
    ASSERT_FALSE(odd);
    EXPECT_NE(odd.error().message.find("multiple of 2"), std::string::npos);
    auto const long_one = Forward::load(model.file, model.inspection, {index{1} << 40});
    ASSERT_FALSE(long_one);
    EXPECT_EQ(long_one.error().code, Code::out_of_memory);
    auto const set = [&](std::string_view name, std::string const& value) {
        for (Fact& f : model.inspection.facts)
            if (f.name == name) f.value = value;
        return Forward::load(model.file, model.inspection, {8});
    };
    EXPECT_NE(set("norm", "GroupNorm5").error().message.find("5 groups"), std::string::npos);
    EXPECT_NE(set("norm", "GroupNorm").error().message.find("number of groups"), std::string::npos);
    EXPECT_NE(set("act", "swish").error().message.find("'swish'"), std::string::npos);
    EXPECT_NE(set("act", "elu").error().message.find("'elu'"), std::string::npos);
}

}  // namespace
}  // namespace sluice::music
