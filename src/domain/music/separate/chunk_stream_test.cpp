// Songs through chunks: as other tools do it, without seams, and whatever the blocks are.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/separate/chunk_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "domain/music/separate/rivals_test.h"
#include "domain/music/separate/stand_ins_test.h"

namespace sluice::music {
namespace {

Cut cut_of(Preset preset, index chunk, index overlap, Window window = Window::hann) {
    Cut c;
    c.preset = preset;
    c.chunk = chunk;
    c.overlap = overlap;
    c.window = window;
    return c;
}

/// The song in blocks; runs what is due after each.
Lanes separated(ChunkSeparator& network, Cut const& cut, Lanes const& mix, index batch = 1,
                index block = 1'000) {
    ChunkStream stream(network, Plan::make(cut).value(), batch);
    Lanes out(static_cast<std::size_t>(2 * network.stems()));
    index const length = std::ssize(mix[0]);
    for (index k = 0; k < length; k += block) {
        auto const from = static_cast<std::size_t>(k);
        auto const n = static_cast<std::size_t>(std::min(block, length - k));
        stream.add(std::span(mix[0]).subspan(from, n), std::span(mix[1]).subspan(from, n));
        while (stream.due()) stream.run(out).value();
    }
    stream.end();
    while (stream.due()) stream.run(out).value();
    EXPECT_TRUE(stream.done());
    return out;
}

Lanes stereo(index length) {
    return {song(length, 1), song(length, 2)};
}

constexpr index lengths[] = {1,   2,   3,   49,  50,  51,  99,  100, 101, 149, 150,
                             151, 199, 200, 201, 250, 299, 300, 301, 399, 400, 777};
constexpr index overlaps[] = {1, 2, 3, 4, 7, 8, 16, 50};

TEST(MusicChunks, OfPresetUvrGiveTheBitsOfItsFormulas) {
    for (index const chunk : {100, 103})
        for (index const overlap : overlaps)
            for (index const length : lengths) {
                StandIn ours = scrambler(chunk), theirs = scrambler(chunk);
                Lanes const mix = stereo(length);
                EXPECT_EQ(separated(ours, cut_of(Preset::uvr, chunk, overlap), mix),
                          uvr_demix(theirs, mix, overlap))
                    << chunk << " " << overlap << " " << length;
            }
}

TEST(MusicChunks, OfPresetMsstGiveTheBitsOfItsFormulas) {
    for (index const chunk : {100, 103})
        for (index const overlap : overlaps)
            for (index const length : lengths) {
                StandIn ours = scrambler(chunk), theirs = scrambler(chunk);
                Lanes const mix = stereo(length);
                EXPECT_EQ(separated(ours, cut_of(Preset::msst, chunk, overlap), mix),
                          msst_demix(theirs, mix, overlap))
                    << chunk << " " << overlap << " " << length;
            }
}

TEST(MusicChunks, ThatNoSampleNeedsAreNotSeparated) {
    // The stems are those of the formulas, as above, with fewer chunks.
    index const length = 30'000, chunk = 1'000;
    Lanes const mix = stereo(length);
    for (auto const& [overlap, fewer] : {std::pair<index, index>{2, 1}, {4, 3}, {8, 7}}) {
        StandIn ours = scrambler(chunk);
        separated(ours, cut_of(Preset::msst, chunk, overlap), mix);
        EXPECT_EQ(ours.chunks, msst_chunks(chunk, overlap, length) - fewer);
        StandIn uvr = scrambler(chunk);
        separated(uvr, cut_of(Preset::uvr, chunk, overlap), mix);
        // The song ends where a chunk does.
        EXPECT_EQ(uvr.chunks, uvr_chunks(chunk, overlap, length) - 1);
    }
}

TEST(MusicChunks, HaveThePublishedCounts) {
    // 180 s at 44.1 kHz in chunks of InstVoc HQ.
    index const length = 180 * 44'100, chunk = 261'120;
    index const uvr[] = {31, 62, 125, 251}, msst[] = {31, 63, 128, 258};
    for (int k = 0; k < 4; ++k) {
        index const overlap = index{1} << k;
        EXPECT_EQ(Plan::make(cut_of(Preset::uvr, chunk, overlap)).value().count(length), uvr[k]);
        EXPECT_EQ(Plan::make(cut_of(Preset::msst, chunk, overlap)).value().count(length), msst[k]);
    }
}

TEST(MusicChunks, JoinToTheSongWhateverTheWindow) {
    for (Window const window : {Window::hann, Window::triangular, Window::rectangular})
        for (index const overlap : overlaps)
            for (index const length : lengths)
                for (index const shifts : {1, 3}) {
                    StandIn network = identity(100);
                    Cut cut = cut_of(Preset::sluice, 100, overlap, window);
                    cut.shifts = shifts;
                    cut.shift_span = 40;
                    Lanes const mix = stereo(length), out = separated(network, cut, mix);
                    for (int c = 0; c < 2; ++c) {
                        ASSERT_EQ(out[c].size(), mix[c].size());
                        for (std::size_t k = 0; k < mix[c].size(); ++k)
                            ASSERT_NEAR(out[c][k], mix[c][k], 4e-6)
                                << overlap << " " << length << " " << shifts << " " << k;
                    }
                }
}

TEST(MusicChunks, CoverEverySampleWithWeight) {
    for (Window const window : {Window::hann, Window::triangular, Window::rectangular})
        for (index const chunk : {101, 4'096, 261'120}) {
            Plan const plan = Plan::make(cut_of(Preset::sluice, chunk, 50, window)).value();
            std::vector<float> scratch;
            for (float const w : plan.weights({}, scratch)) ASSERT_GT(w, 0);
        }
}

TEST(MusicChunks, GiveTheSameBitsWhateverTheBlocksAndTheBatch) {
    for (Preset const preset : {Preset::sluice, Preset::uvr, Preset::msst})
        for (index const length : {1, 90, 250, 1'234}) {
            Lanes const mix = stereo(length);
            Cut cut = cut_of(preset, 100, 3);
            if (preset == Preset::sluice) cut.shifts = 2, cut.shift_span = 20;
            StandIn first = scrambler(100);
            Lanes const once = separated(first, cut, mix, 1, length);
            for (index const batch : {1, 2, 5, 40})
                for (index const block : {1, 7, 64, 5'000}) {
                    StandIn again = scrambler(100);
                    EXPECT_EQ(separated(again, cut, mix, batch, block), once)
                        << batch << " " << block;
                    EXPECT_EQ(again.chunks, first.chunks);
                }
        }
}

TEST(MusicChunks, AreTheSameOnceTheirSamplesAreKnown) {
    for (Preset const preset : {Preset::sluice, Preset::uvr, Preset::msst})
        for (index const overlap : {1, 2, 3, 8}) {
            Plan const plan = Plan::make(cut_of(preset, 100, overlap)).value();
            for (index number = 0; number < 12; ++number)
                for (index more = 0; more < 250; ++more) {
                    index const length = plan.needs(number) + more;
                    ASSERT_LT(number, plan.count(length));
                    ASSERT_EQ(plan.chunk(number, length), plan.chunk(number, {}));
                    PlannedChunk const c = plan.chunk(number, length);
                    for (index k = 0; k < 100; ++k) {
                        ASSERT_EQ(plan.sample(c, k, length), plan.sample(c, k, plan.needs(number)));
                        index const s = plan.sample(c, k, length);
                        ASSERT_TRUE(s < 0 || s >= plan.keeps(number));
                    }
                }
        }
}

/// Hears a tone, and loses it to the ends of each chunk, as networks do.
StandIn deaf_at_the_ends(index samples) {
    return {samples, 1, [samples](std::span<float const> mix, std::span<float> out) {
                for (std::size_t k = 0; k < out.size(); ++k) {
                    index const position = static_cast<index>(k) % samples;
                    index const edge = std::min(position, samples - 1 - position);
                    out[k] = mix[k] * (edge < samples / 16 ? 0.5f : 1.0f);
                }
            }};
}

/// The largest second difference of a tone's amplitude: a seam is a step of it.
float largest_step(std::vector<float> const& heard, std::vector<float> const& tone) {
    float largest = 0, before = 1;
    bool any = false;
    for (std::size_t k = 0; k < tone.size(); ++k) {
        if (std::fabs(tone[k]) < 0.3f) continue;
        float const amplitude = heard[k] / tone[k];
        if (any) largest = std::max(largest, std::fabs(amplitude - before));
        before = amplitude;
        any = true;
    }
    return largest;
}

TEST(MusicChunks, HaveNoSeamsWhereTheirEndsAreBad) {
    std::vector<float> tone;
    for (int k = 0; k < 20'000; ++k)
        tone.push_back(static_cast<float>(std::sin(2 * std::numbers::pi * k / 97)));
    auto const step = [&](Preset preset, index overlap, Window window) {
        StandIn network = deaf_at_the_ends(2'048);
        return largest_step(
            separated(network, cut_of(preset, 2'048, overlap, window), {tone, tone})[0], tone);
    };
    // Within a chunk the stand-in itself jumps by a half where the window weighs 0.038.
    EXPECT_LT(step(Preset::sluice, 2, Window::hann), 0.02);
    EXPECT_LT(step(Preset::sluice, 4, Window::hann), 0.011);
    EXPECT_LT(step(Preset::sluice, 8, Window::hann), 0.006);
    // The measure finds seams where there are some.
    EXPECT_GT(step(Preset::sluice, 2, Window::rectangular), 0.2);
    EXPECT_GT(step(Preset::uvr, 4, Window::hann), 0.1);
}

TEST(MusicChunks, OfSilenceAreSilent) {
    Lanes const silence(2, std::vector<float>(1'000));
    for (Preset const preset : {Preset::sluice, Preset::uvr, Preset::msst}) {
        StandIn network = identity(100);
        EXPECT_EQ(separated(network, cut_of(preset, 100, 4), silence), silence);
    }
}

TEST(MusicChunks, OfConstantsAreConstant) {
    Lanes const constant(2, std::vector<float>(1'000, 0.5f));
    StandIn network = identity(100);
    Lanes const out = separated(network, cut_of(Preset::sluice, 100, 4), constant);
    for (float const v : out[0]) ASSERT_NEAR(v, 0.5f, 1e-7);
}

TEST(MusicChunks, ThatAreNoNumbersAreRefused) {
    StandIn broken(100, 2, [](std::span<float const>, std::span<float> out) {
        out[350] = std::numeric_limits<float>::quiet_NaN();
    });
    ChunkStream stream(broken, Plan::make(cut_of(Preset::sluice, 100, 2)).value(), 1);
    Lanes const mix = stereo(500);
    stream.add(mix[0], mix[1]);
    Lanes out(4);
    auto const s = stream.run(out);
    ASSERT_FALSE(s);
    EXPECT_NE(s.error().message.find("nan for channel 2 of stem 2"), std::string::npos)
        << s.error().message;
}

TEST(MusicChunks, AreRefusedWhereTheyMakeNoSense) {
    EXPECT_FALSE(Plan::make(cut_of(Preset::sluice, 100, 0)));
    EXPECT_FALSE(Plan::make(cut_of(Preset::sluice, 1'000, 51)));
    EXPECT_FALSE(Plan::make(cut_of(Preset::sluice, 10, 8)));
    Cut shifted = cut_of(Preset::msst, 100, 2);
    shifted.shifts = 2;
    EXPECT_FALSE(Plan::make(shifted));
}

}  // namespace
}  // namespace sluice::music
