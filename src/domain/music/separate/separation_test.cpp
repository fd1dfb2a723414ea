// Songs of any rate and channels to stems: sums, names, joins, memory.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "domain/music/separate/model.h"
#include "domain/music/separate/stand_ins_test.h"
#include "sluice/music_separate.h"

namespace sluice::music {
namespace {

using Stems = std::vector<std::vector<float>>;

Model model_of(StandIn const& network, std::vector<std::string> stems,
               std::vector<std::string> instruments = {}) {
    auto state = std::make_unique<Model::State>();
    state->name = "stand-in";
    state->network = std::make_unique<StandIn>(network);
    state->stems = std::move(stems);
    state->instruments = std::move(instruments);
    return Model(std::move(state));
}

Model two_stems(index chunk = 400) {
    return model_of(scrambler(chunk), {"Vocals", "Instrumental"});
}

struct Song {
    int rate = 44'100;
    index channels = 2;
    std::vector<float> samples;
    index frames() const { return std::ssize(samples) / channels; }
};

Song noise_of(index frames, int rate = 44'100, index channels = 2) {
    Song s{rate, channels, song(frames * channels)};
    for (float& v : s.samples) v *= 0.5f;
    return s;
}

void pull_all(Separation& s, index channels, Stems& out, index most = 1 << 20) {
    out.resize(s.stems().size());
    while (s.ready() > 0) {
        auto const n = std::size_t(std::min(most, s.ready()) * channels);
        Stems block(out.size(), std::vector<float>(n));
        std::vector<std::span<float>> spans(block.begin(), block.end());
        index const got = s.pull(spans);
        ASSERT_EQ(got * channels, index(n));
        for (std::size_t k = 0; k < out.size(); ++k)
            out[k].insert(out[k].end(), block[k].begin(), block[k].end());
    }
}

Result<Stems> pushed(std::vector<Model*> const& models, Song const& song, SeparateOptions const& o,
                     index block = 5'000, std::vector<std::string>* names = nullptr) {
    SLUICE_TRY(Separation s, Separation::begin(models, song.rate, song.channels, o));
    if (names) *names = s.stems();
    Stems out;
    auto const step = std::size_t(block * song.channels);
    for (std::size_t at = 0; at < song.samples.size(); at += step) {
        std::span<float const> const all(song.samples);
        SLUICE_CHECK(s.push(all.subspan(at, std::min(step, all.size() - at))));
        pull_all(s, song.channels, out);
    }
    SLUICE_CHECK(s.finish());
    pull_all(s, song.channels, out);
    return out;
}

Stems separated(Model& model, Song const& song, SeparateOptions const& o = {},
                std::vector<std::string>* names = nullptr) {
    return pushed({&model}, song, o, 5'000, names).value();
}

TEST(MusicSeparation, GivesAsManyFramesAsCame) {
    Model model = two_stems();
    for (int const rate : {44'100, 48'000, 22'050, 96'000})
        for (index const channels : {1, 2})
            for (index const frames : {1, 2, 399, 5'000, 12'345}) {
                Song const s = noise_of(frames, rate, channels);
                for (auto const& stem : separated(model, s))
                    EXPECT_EQ(std::ssize(stem), frames * channels) << rate << " " << frames;
            }
}

TEST(MusicSeparation, DoesNotDependOnBlocksBatchesOrPulling) {
    Model model = two_stems();
    for (int const rate : {44'100, 48'000}) {
        Song const s = noise_of(9'000, rate);
        SeparateOptions o;
        o.overlap = 3;
        Stems const once = pushed({&model}, s, o, 9'000).value();
        for (index const block : {1, 100, 777})
            EXPECT_EQ(pushed({&model}, s, o, block).value(), once);
        for (index const batch : {2, 7, 100}) {
            o.batch = batch;
            EXPECT_EQ(pushed({&model}, s, o).value(), once) << batch;
        }
        for (index const block : {50, 3'000}) {
            Model* const one = &model;
            Separation pulled = Separation::begin({&one, 1}, rate, 2, o).value();
            index read = 0;
            auto const source = [&](std::span<float> out) -> Result<index> {
                index const n = std::min({index(333), s.frames() - read, std::ssize(out) / 2});
                std::copy_n(s.samples.begin() + 2 * read, 2 * n, out.begin());
                read += n;
                return n;
            };
            Stems out(2), some(2, std::vector<float>(std::size_t(2 * block)));
            std::vector<std::span<float>> spans(some.begin(), some.end());
            for (;;) {
                index const n = pulled.pull(spans, source).value();
                for (std::size_t k = 0; k < 2; ++k)
                    out[k].insert(out[k].end(), some[k].begin(), some[k].begin() + 2 * n);
                if (n < block) break;
            }
            EXPECT_EQ(out, once);
        }
    }
}

TEST(MusicSeparation, OfTwoStemsGivesTheMixBack) {
    Model model = two_stems();
    for (int const rate : {44'100, 48'000}) {
        Song const s = noise_of(20'000, rate);
        std::vector<std::string> names;
        Stems const stems = separated(model, s, {}, &names);
        EXPECT_EQ(names, (std::vector<std::string>{"Vocals", "Instrumental"}));
        for (std::size_t k = 0; k < s.samples.size(); ++k) {
            // A rounding of the difference, and one of the sum.
            float const largest = std::max(std::fabs(stems[0][k]), std::fabs(stems[1][k]));
            ASSERT_NEAR(stems[0][k] + stems[1][k], s.samples[k],
                        std::ldexp(std::max(largest, 1e-9f), -23));
        }
    }
}

TEST(MusicSeparation, OfFilesOfIntegersSumsExactly) {
    Model model = model_of(scrambler(400, 4), {"vocals", "bass", "drums", "other"});
    for (int const bits : {16, 24}) {
        double const scale = std::ldexp(1.0, bits - 1);
        Song s = noise_of(20'000, 48'000);
        for (float& v : s.samples) v = float(std::nearbyint(v * scale) / scale);
        SeparateOptions o;
        o.bits = bits;
        Stems const stems = separated(model, s, o);
        for (std::size_t k = 0; k < s.samples.size(); ++k) {
            std::int64_t sum = 0;
            for (auto const& stem : stems) {
                ASSERT_EQ(std::nearbyint(stem[k] * scale), stem[k] * scale);
                sum += std::int64_t(stem[k] * scale);
            }
            ASSERT_EQ(sum, std::int64_t(s.samples[k] * scale)) << bits << " " << k;
        }
    }
}

TEST(MusicSeparation, NamesTheComplement) {
    Song const s = noise_of(1'000);
    using Names = std::vector<std::string>;
    auto const names = [&](Model model, SeparateOptions const& o = {}) {
        Names n;
        separated(model, s, o, &n);
        return n;
    };
    StandIn const one = scrambler(400, 1), four = scrambler(400, 4);
    EXPECT_EQ(names(model_of(one, {"Vocals"})), (Names{"Vocals", "Instrumental"}));
    EXPECT_EQ(names(model_of(one, {"vocals"}, {"vocals", "rest"})), (Names{"vocals", "rest"}));
    EXPECT_EQ(names(model_of(one, {"drums"})), (Names{"drums", "no_drums"}));
    SeparateOptions o;
    o.complement = "none";
    EXPECT_EQ(names(model_of(one, {"drums"}), o), (Names{"drums"}));
    o.complement = "air";
    EXPECT_EQ(names(model_of(four, {"a", "b", "c", "d"}), o), (Names{"a", "b", "c", "d", "air"}));
    o.stems = {"AIR", "b", "B"};
    EXPECT_EQ(names(model_of(four, {"a", "b", "c", "d"}), o), (Names{"b", "air"}));
    EXPECT_EQ(names(model_of(four, {"a", "b", "c", "d"})), (Names{"a", "b", "c", "d"}));
}

TEST(MusicSeparation, OfAPresetGivesWhatTheNetworkGave) {
    Model model = model_of(identity(400, 2), {"Vocals", "Instrumental"});
    Song const s = noise_of(5'000);
    SeparateOptions o;
    o.overlap = 2;
    o.preset = Preset::uvr;
    EXPECT_EQ(separated(model, s, o)[1][77], s.samples[77] / 2);
    o.complement = "instrumental";
    EXPECT_EQ(separated(model, s, o)[1][77], 0);
}

// The overlap changes the stems, and is the model's where a preset reads its YAML.
TEST(MusicSeparation, OfAPresetNeedsAnOverlap) {
    Model model = two_stems();
    Song const s = noise_of(5'000);
    for (Preset const preset : {Preset::uvr, Preset::msst}) {
        SeparateOptions o;
        o.preset = preset;
        auto const refused = pushed({&model}, s, o);
        ASSERT_FALSE(refused);
        EXPECT_NE(refused.error().text().find("stand-in: comes without num_overlap"),
                  std::string::npos);
        model.state().overlap = 3;
        EXPECT_TRUE(pushed({&model}, s, o));
        model.state().overlap.reset();
        o.overlap = 3;
        EXPECT_TRUE(pushed({&model}, s, o));
    }
}

TEST(MusicSeparation, NotesItsSteps) {
    Model model = two_stems();
    Trace trace(1);
    SeparateOptions o;
    o.trace = &trace;
    separated(model, noise_of(5'000, 48'000), o);
    index resampled = 0, joined = 0;
    for (Span const& s : trace.spans()) {
        resampled += s.phase == Phase::resample;
        joined += s.phase == Phase::overlap_add;
        EXPECT_TRUE(s.phase != Phase::overlap_add || s.item >= 0);
    }
    EXPECT_GT(resampled, 3);
    EXPECT_GT(joined, 20);
}

TEST(MusicSeparation, WritesOnlyTheWantedStems) {
    Model model = two_stems();
    Song const s = noise_of(5'000);
    Stems const all = separated(model, s);
    SeparateOptions o;
    for (std::size_t k = 0; k < 2; ++k) {
        o.stems = {k == 0 ? "vocals" : "INSTRUMENTAL"};
        EXPECT_EQ(separated(model, s, o), Stems{all[k]});
    }
    o.stems = {"drums"};
    Model* const one = &model;
    auto const none = Separation::begin({&one, 1}, 44'100, 2, o);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message, "the model has no stem 'drums'; it gives Vocals, Instrumental");
}

TEST(MusicSeparation, HearsMonoOnBothSides) {
    Model model = model_of({400, 1,
                            [](std::span<float const> mix, std::span<float> out) {
                                for (std::size_t k = 0; k < out.size(); ++k)
                                    out[k] = mix[k] * (k < 400 ? 0.25f : 0.75f);
                            }},
                           {"vocals"});
    Song const s = noise_of(3'000, 44'100, 1);
    Stems const stems = separated(model, s);
    for (std::size_t k = 0; k < s.samples.size(); ++k)
        ASSERT_NEAR(stems[0][k], s.samples[k] / 2, 1e-6);
    Model* const one = &model;
    auto const six = Separation::begin({&one, 1}, 44'100, 6, {});
    ASSERT_FALSE(six);
    EXPECT_NE(six.error().message.find("has 6 channels"), std::string::npos);
}

TEST(MusicSeparation, AugmentsAsItsFormulaSays) {
    // Not symmetric in channels or sign.
    auto const odd = [](float left, float right) { return left * left + 0.5f * right + left; };
    Model model = model_of({400, 1,
                            [odd](std::span<float const> mix, std::span<float> out) {
                                for (std::size_t k = 0; k < 400; ++k) {
                                    out[k] = odd(mix[k], mix[400 + k]);
                                    out[400 + k] = 2 * mix[400 + k] * mix[k];
                                }
                            }},
                           {"vocals"});
    Song const s = noise_of(3'000);
    SeparateOptions o;
    o.augment = true;
    o.batch = 3;
    Stems const stems = separated(model, s, o);
    for (std::size_t k = 0; k < s.samples.size(); k += 2) {
        float const l = s.samples[k], r = s.samples[k + 1];
        ASSERT_NEAR(stems[0][k], (odd(l, r) + 2 * l * r - odd(-l, -r)) / 3, 1e-5);
        ASSERT_NEAR(stems[0][k + 1], (2 * l * r + odd(r, l) - 2 * l * r) / 3, 1e-5);
    }
}

/// Every sample times a factor, in chunks of any length.
Model times(float factor, index chunk, std::vector<std::string> names = {"vocals"}) {
    index const stems = std::ssize(names);
    return model_of({chunk, stems,
                     [factor](std::span<float const> mix, std::span<float> out) {
                         for (std::size_t k = 0; k < out.size(); ++k)
                             out[k] = factor * mix[k % mix.size()] * (k < mix.size() ? 1 : 9);
                     }},
                    std::move(names));
}

TEST(MusicSeparation, JoinsModelsOfDifferentChunks) {
    Model a = times(0.1f, 400), b = times(0.2f, 1'000), c = times(0.9f, 300);
    Song const s = noise_of(7'000);
    auto const factor = [&](std::vector<Model*> const& models, SeparateOptions const& o) {
        Stems const stems = pushed(models, s, o).value();
        EXPECT_EQ(stems[0].size(), s.samples.size());
        float const f = stems[0][5'001] / s.samples[5'001];
        for (std::size_t k = 0; k < s.samples.size(); ++k)
            EXPECT_NEAR(stems[0][k], f * s.samples[k], 1e-5);
        return f;
    };
    SeparateOptions o;
    EXPECT_NEAR(factor({&a, &b, &c}, o), 0.4f, 1e-5);
    o.weights = {1, 2, 1};
    EXPECT_NEAR(factor({&a, &b, &c}, o), 0.35f, 1e-5);
    o.weights = {};
    o.join = Join::median;
    EXPECT_NEAR(factor({&a, &b, &c}, o), 0.2f, 1e-5);
    EXPECT_NEAR(factor({&a, &b}, o), 0.15f, 1e-5);
}

TEST(MusicSeparation, JoinsStemsByTheirNames) {
    Model a = times(0.1f, 400, {"Vocals", "Instrumental"}),
          b = times(0.3f, 400, {"other", "vocals"});
    Song const s = noise_of(2'000);
    Stems const stems = pushed({&a, &b}, s, {}).value();
    // 0.1, and 9 times 0.3.
    EXPECT_NEAR(stems[0][501], 1.4f * s.samples[501], 1e-5);
    EXPECT_NEAR(stems[1][501], -0.4f * s.samples[501], 1e-5);
    SeparateOptions o;
    o.complement = "none";
    auto const e = pushed({&a, &b}, s, o);
    ASSERT_FALSE(e);
    EXPECT_NE(e.error().message.find("no stem 'Instrumental'"), std::string::npos);
}

TEST(MusicSeparation, RefusesWhatMakesNoSense) {
    Model a = two_stems(), b = two_stems(), slow = two_stems();
    slow.state().rate = 32'000;
    Model* const both[] = {&a, &b};
    Model* const rates[] = {&a, &slow};
    EXPECT_FALSE(Separation::begin({}, 44'100, 2, {}));
    EXPECT_FALSE(Separation::begin(rates, 44'100, 2, {}));
    auto const refused = [&](auto change) {
        SeparateOptions o;
        change(o);
        return !Separation::begin(both, 44'100, 2, o);
    };
    EXPECT_TRUE(refused([](auto& o) { o.overlap = 51; }));
    EXPECT_TRUE(refused([](auto& o) { o.overlap = 0; }));
    EXPECT_TRUE(refused([](auto& o) { o.batch = 0; }));
    EXPECT_TRUE(refused([](auto& o) { o.bits = 20; }));
    EXPECT_TRUE(refused([](auto& o) { o.weights = {1}; }));
    EXPECT_TRUE(refused([](auto& o) { o.weights = {1, -1}; }));
    EXPECT_TRUE(refused([](auto& o) { o.weights = {0, 0}; }));
    EXPECT_TRUE(refused([](auto& o) { o.join = Join::median, o.weights = {1, 1}; }));
    EXPECT_FALSE(refused([](auto& o) { o.weights = {1, 0}; }));
}

TEST(MusicSeparation, NamesTheSampleThatIsNoNumber) {
    Model model = two_stems();
    Song s = noise_of(2'000);
    s.samples[2 * 1'234 + 1] = std::numeric_limits<float>::infinity();
    auto const e = pushed({&model}, s, {}, 100);
    ASSERT_FALSE(e);
    EXPECT_NE(e.error().message.find("channel 2 is inf at frame 1234"), std::string::npos)
        << e.error().message;
}

TEST(MusicSeparation, NeedsAFrame) {
    Model model = two_stems();
    EXPECT_FALSE(pushed({&model}, noise_of(0), {}));
}

TEST(MusicSeparation, StopsWhenNobodyWantsIt) {
    Model model = two_stems();
    SeparateOptions o;
    std::uint64_t last = 0;
    o.frames = 20'000;
    int calls = 0;
    o.progress = [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_GE(done, last);
        EXPECT_LE(done, total);
        EXPECT_EQ(total, 20'000u);
        last = done;
        return ++calls < 30;
    };
    auto const stopped = pushed({&model}, noise_of(20'000), o);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, Code::cancelled);
    EXPECT_EQ(calls, 30);
    EXPECT_GT(last, 1'000u);
}

TEST(MusicSeparation, TakesNoMoreMemoryForLongerSongs) {
    Model model = model_of(identity(2'048, 2), {"Vocals", "Instrumental"});
    Model* const one = &model;
    // At another rate, with a complement, a quarter of an hour.
    Separation s = Separation::begin({&one, 1}, 48'000, 2, {}).value();
    std::vector<float> const block = song(2 * 48'000);
    std::vector<float> some[2];
    for (auto& v : some) v.resize(block.size());
    std::vector<std::span<float>> const spans(std::begin(some), std::end(some));
    auto const minute = [&] {
        for (int k = 0; k < 60; ++k) {
            s.push(block).value();
            while (s.ready() > 0) s.pull(spans);
        }
        return ::mallinfo2().uordblks;
    };
    std::size_t const first = minute();
    std::size_t most = 0;
    for (int k = 1; k < 15; ++k) most = std::max(most, minute());
    // A minute has 23 MB of samples.
    EXPECT_LT(most, first + 100'000);
}

}  // namespace
}  // namespace sluice::music
