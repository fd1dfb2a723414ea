// Tests of score(): by hand, against a slow twin in the time domain, and for any threads.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>

#include "domain/music/score_slow_test.h"
#include "domain/music/score_windows.h"
#include "sluice/music_score.h"

namespace sluice::music {
namespace {

std::vector<float> noise(std::size_t count, unsigned seed) {
    std::vector<float> out(count);
    for (float& v : out) {
        seed = seed * 1'664'525u + 1'013'904'223u;
        v = static_cast<float>(static_cast<int>(seed >> 8) - (1 << 23)) / (1 << 24);
    }
    return out;
}

/// Stems of coloured noise, and estimates with leakage, filtering and noise of their own.
struct Song {
    std::vector<std::vector<float>> references, estimates;
    index channels;

    Song(int stems, index frames, index its_channels) : channels(its_channels) {
        auto const count = static_cast<std::size_t>(frames * channels);
        auto const c = static_cast<std::size_t>(channels);
        for (int s = 0; s < stems; ++s) {
            auto r = noise(count, 17u + static_cast<unsigned>(s));
            for (std::size_t k = c; k < count; ++k) r[k] += 0.6f * r[k - c];
            references.push_back(std::move(r));
        }
        for (int s = 0; s < stems; ++s) {
            auto const own = static_cast<std::size_t>(s), other = (own + 1) % references.size();
            auto e = noise(count, 91u + static_cast<unsigned>(s));
            for (std::size_t k = 0; k < count; ++k) {
                e[k] = 0.05f * e[k] + 0.9f * references[own][k];
                if (k >= 7 * c) e[k] += 0.1f * references[own][k - 7 * c];
                if (k >= 3 * c && other != own) e[k] += 0.2f * references[other][k - 3 * c];
            }
            estimates.push_back(std::move(e));
        }
    }
    std::vector<StemPair> pairs() const {
        std::vector<StemPair> out;
        for (std::size_t s = 0; s < references.size(); ++s)
            out.push_back({"stem " + std::to_string(s), estimates[s], references[s]});
        return out;
    }
};

void expect_near(BssEval const& a, BssEval const& b, double decibels, bool sir = true) {
    EXPECT_NEAR(a.sdr, b.sdr, decibels);
    EXPECT_NEAR(a.isr, b.isr, decibels);
    EXPECT_NEAR(a.sar, b.sar, decibels);
    if (sir)
        EXPECT_NEAR(a.sir, b.sir, decibels);
    else
        EXPECT_TRUE(std::isnan(a.sir));
}

TEST(MusicScore, GlobalRatiosByHand) {
    std::vector<float> const s{1, 2, -2, 0}, t{1, 1, -2, 1};
    StemPair const pair{"a", t, s};
    Score const out = score({&pair, 1}, 2, 44'100, {.bss = false}).value();
    EXPECT_NEAR(out.stems[0].sdr, 10 * std::log10((9 + 1e-8) / (2 + 1e-8)), 1e-12);
    // a = 7 / 9: the target has 49 / 9, and the estimate has 7 in all.
    EXPECT_NEAR(out.stems[0].si_sdr, 10 * std::log10((49.0 / 9) / (7 - 49.0 / 9)), 1e-12);
    EXPECT_TRUE(out.stems[0].windows.empty());
}

TEST(MusicScore, AgreesWithTheSlowTwin) {
    struct Case {
        int stems;
        index channels;
    };
    for (Case const& c : {Case{2, 1}, Case{1, 2}}) {
        Song const song(c.stems, 3000, c.channels);
        auto const pairs = song.pairs();
        Score const out = score(pairs, c.channels, 1000).value();
        ASSERT_EQ(out.windows, 3);
        for (index s = 0; s < c.stems; ++s)
            for (index w = 0; w < 3; ++w)
                expect_near(
                    out.stems[static_cast<std::size_t>(s)].windows[static_cast<std::size_t>(w)],
                    slow_window(pairs, c.channels, s, w * 1000, 1000), 1e-6, c.stems > 1);
    }
}

TEST(MusicScore, GivesTheSameBitsOnAnyNumberOfThreads) {
    Song const song(2, 9000, 2);
    auto const pairs = song.pairs();
    Score const one = score(pairs, 2, 2000, {.threads = 1}).value();
    for (int threads : {2, 3, 7}) {
        Score const many = score(pairs, 2, 2000, {.threads = threads}).value();
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t w = 0; w < 4; ++w) {
                BssEval const &a = one.stems[s].windows[w], &b = many.stems[s].windows[w];
                for (auto const value :
                     {&BssEval::sdr, &BssEval::isr, &BssEval::sir, &BssEval::sar})
                    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.*value),
                              std::bit_cast<std::uint64_t>(b.*value));
            }
    }
}

TEST(MusicScore, CountsWindowsThatAreSilent) {
    Song song(2, 5500, 2);
    // The second window of a reference, the fourth of an estimate.
    std::fill_n(song.references[0].begin() + 2000, 2000, 0.0f);
    std::fill_n(song.estimates[1].begin() + 6000, 2000, 0.0f);
    Score const out = score(song.pairs(), 2, 1000).value();
    EXPECT_EQ(out.windows, 5);
    EXPECT_EQ(out.silent, 2);
    for (auto const& stem : out.stems) {
        for (std::size_t w = 0; w < 5; ++w)
            EXPECT_EQ(std::isnan(stem.windows[w].sdr), w == 1 || w == 3);
        EXPECT_FALSE(std::isnan(stem.median.sdr));
    }
}

// Both channels the same: the equations have many solutions, all of one remainder.
TEST(MusicScore, TakesMonoSongsOfTwoChannels) {
    Song const mono(2, 4000, 1);
    auto const twice = [](std::vector<float> const& v) {
        std::vector<float> out;
        for (float const x : v) out.insert(out.end(), {x, x});
        return out;
    };
    Song stereo = mono;
    for (auto& v : stereo.references) v = twice(v);
    for (auto& v : stereo.estimates) v = twice(v);
    Score const a = score(mono.pairs(), 1, 1000).value();
    Score const b = score(stereo.pairs(), 2, 1000).value();
    for (std::size_t s = 0; s < 2; ++s) expect_near(a.stems[s].median, b.stems[s].median, 1e-6);
}

TEST(MusicScore, SaysInfiniteOfWhatIsExact) {
    Song const song(2, 3000, 1);
    std::vector<StemPair> pairs = song.pairs();
    for (StemPair& p : pairs) p.estimate = p.reference;
    Score const out = score(pairs, 1, 1000).value();
    EXPECT_TRUE(std::isinf(out.stems[0].median.sdr));
    EXPECT_GT(out.stems[0].median.sar, 200);
    EXPECT_TRUE(std::isinf(out.stems[0].si_sdr));
    std::vector<float> const none(3000);
    for (StemPair& p : pairs) p.reference = none;
    Score const silent = score(pairs, 1, 1000).value();
    EXPECT_EQ(silent.silent, 3);
    EXPECT_TRUE(std::isnan(silent.stems[0].si_sdr));
    EXPECT_TRUE(std::isnan(silent.stems[0].median.sdr));
}

TEST(MusicScore, TakesASongShorterThanAWindowAsOne) {
    Song const song(1, 600, 1);
    Score const out = score(song.pairs(), 1, 44'100).value();
    EXPECT_EQ(out.windows, 1);
    EXPECT_GT(out.stems[0].median.sdr, 0);
}

TEST(MusicScore, RefusesWhatDoesNotFit) {
    std::vector<float> const a(100, 0.5f), b(98, 0.5f);
    auto const refuses = [](std::vector<StemPair> const& pairs, index channels, int rate) {
        auto const out = score(pairs, channels, rate);
        return !out && out.error().code == Code::invalid_argument;
    };
    EXPECT_TRUE(refuses({}, 2, 44'100));
    EXPECT_TRUE(refuses({{"a", a, b}}, 2, 44'100));
    EXPECT_TRUE(refuses({{"a", a, a}, {"b", b, b}}, 2, 44'100));
    EXPECT_TRUE(refuses({{"a", a, a}}, 3, 44'100));
    EXPECT_TRUE(refuses({{"a", a, a}}, 2, 0));
    EXPECT_TRUE(refuses({{"a", {}, {}}}, 2, 44'100));
    EXPECT_TRUE(refuses(std::vector<StemPair>(9, {"a", a, a}), 2, 44'100));
}

TEST(MusicScore, StopsWhenNobodyWantsIt) {
    Song const song(1, 3000, 1);
    auto const out = score(song.pairs(), 1, 1000, {.progress = [](auto, auto) { return false; }});
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().code, Code::cancelled);
}

TEST(MusicScore, MedianLeavesOutWhatIsNoNumber) {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(median_of({3, nan, 1, 2}), 2);
    EXPECT_EQ(median_of({4, 1}), 2.5);
    EXPECT_TRUE(std::isnan(median_of({nan})));
}

}  // namespace
}  // namespace sluice::music
