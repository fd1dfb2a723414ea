// Tests of Source: any blocks give the same samples, and what is wrong with a file is said.
// SPDX-License-Identifier: Apache-2.0
#include "audio/source.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "audio/files_test.h"
#include "test_data.h"

namespace sluice::audio {
namespace {

/// The error of reading bytes to their end; an empty one if there is none.
Error error_of(std::span<std::byte const> bytes) {
    auto source = Source::open(bytes, "x");
    if (!source) return source.error();
    std::vector<float> block(static_cast<std::size_t>(source->sound().channels * 100));
    for (;;) {
        auto const got = source->read(block);
        if (!got) return got.error();
        if (*got == 0) return {};
    }
}

TEST(AudioSource, GivesTheSameSamplesInAnyBlocks) {
    SoundFolder const folder;
    auto const samples = noise(5000, 2);
    for (std::string const name : {"a.wav", "a.flac"}) {
        save(folder.file(name), {44'100, 2, Encoding::pcm16}, samples);
        for (std::size_t frames : {1u, 777u, 5000u, 9000u}) {
            Source source = Source::open(folder.file(name)).value();
            EXPECT_EQ(source.sound().frames, 5000);
            std::vector<float> all, block(2 * frames);
            while (index const got = source.read(block).value())
                all.insert(all.end(), block.begin(), block.begin() + 2 * got);
            EXPECT_EQ(all, samples);
            EXPECT_EQ(source.read(block).value(), 0);
        }
    }
}

TEST(AudioSource, StopsReadingAWholeFileWhenItIsTold) {
    SoundFolder const folder;
    save(folder.file("a.wav"), {44'100, 1, Encoding::pcm16}, noise(200'000, 1));
    std::vector<std::uint64_t> done;
    auto const stopped =
        read_all(folder.file("a.wav"), [&](std::uint64_t frames, std::uint64_t all) {
            done.push_back(frames);
            EXPECT_EQ(all, 200'000u);
            return frames < 100'000;
        });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, Code::cancelled);
    EXPECT_EQ(done, (std::vector<std::uint64_t>{0, 65'536, 131'072}));
}

TEST(AudioSource, NamesTheFirstSampleThatIsNoNumber) {
    SoundFolder const folder;
    save(folder.file("a.wav"), {44'100, 2, Encoding::float32}, noise(500, 2));
    auto bytes = bytes_of(folder.file("a.wav"));
    for (float const bad :
         {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
        // The right channel of frame 441, counted from the end of the file.
        std::memcpy(bytes.data() + bytes.size() - 4 * (2 * (500 - 441) - 1), &bad, 4);
        Error const e = error_of(bytes);
        EXPECT_EQ(e.code, Code::corrupt);
        EXPECT_NE(e.message.find("channel 2 is "), std::string::npos) << e.text();
        EXPECT_NE(e.message.find("at frame 441 (0.010 s)"), std::string::npos) << e.text();
        EXPECT_EQ(e.file, "x");
    }
}

TEST(AudioSource, TellsWhatEndsTooEarly) {
    SoundFolder const folder;
    for (std::string const name : {"a.wav", "a.flac"}) {
        save(folder.file(name), {44'100, 2, Encoding::pcm16}, noise(50'000, 2));
        auto const bytes = bytes_of(folder.file(name));
        EXPECT_EQ(error_of(bytes).message, "");
        for (std::size_t const left :
             {bytes.size() - 1, bytes.size() / 2, std::size_t{30}, std::size_t{1}})
            EXPECT_NE(error_of(std::span(bytes).first(left)).message, "") << name << ' ' << left;
        Error const half = error_of(std::span(bytes).first(bytes.size() / 2));
        EXPECT_NE(half.message.find("promises"), std::string::npos) << half.text();
    }
    EXPECT_NE(error_of({}).message.find("is empty"), std::string::npos);
}

TEST(AudioSource, ReadsWavFilesThatWereWrittenIntoAPipe) {
    SoundFolder const folder;
    auto const samples = noise(100, 2);
    save(folder.file("a.wav"), {44'100, 2, Encoding::pcm16}, samples);
    auto bytes = bytes_of(folder.file("a.wav"));
    std::size_t const data = bytes.size() - 400;
    for (std::size_t k = 0; k < 4; ++k) bytes[data - 4 + k] = bytes[4 + k] = std::byte{0xff};
    Source source = Source::open(bytes, "pipe").value();
    std::vector<float> block(1000);
    EXPECT_EQ(source.read(block).value(), 100);
    EXPECT_TRUE(std::equal(samples.begin(), samples.end(), block.begin()));
}

TEST(AudioSource, RefusesWhatIsNoSound) {
    SoundFolder const folder;
    std::vector<std::byte> const zeros(5000);
    EXPECT_EQ(error_of(zeros).code, Code::unsupported);
    std::vector<std::byte> riff(zeros);
    std::memcpy(riff.data(), "RIFF\0\0\0\0AVI ", 12);
    EXPECT_EQ(error_of(std::span(riff).first(5)).code, Code::unsupported);
    EXPECT_EQ(error_of(riff).code, Code::unsupported);
    std::memcpy(riff.data(), "RIFF\0\0\0\0WAVE", 12);
    EXPECT_EQ(error_of(riff).code, Code::corrupt);
    save(folder.file("a.wav"), {44'100, 2, Encoding::pcm16}, {});
    auto const none = Source::open(folder.file("a.wav"));
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("holds no sound"), std::string::npos);
    EXPECT_EQ(none.error().file, folder.file("a.wav"));
    EXPECT_EQ(Source::open(folder.file("nothing.wav")).error().code, Code::not_found);
}

TEST(AudioSource, KnowsTheEndingsOfFiles) {
    for (char const* const name : {"a.wav", "x/a.FLAC", "a.b.m4a", ".mp3", "-x.Opus"})
        EXPECT_TRUE(has_ending_of_sound(name)) << name;
    for (char const* const name : {"a", "wav", "a.wav/b", "a.wav.part-1", "a.txt", ""})
        EXPECT_FALSE(has_ending_of_sound(name)) << name;
}

// The files of other programs: a sine of 440 Hz at 0.4, its right channel half as loud, with noise.
TEST(AudioSource, ReadsEveryKindOfFile) {
    std::string const folder = SLUICE_TEST_DATA "/../fuzz/audio_fuzz/";
    struct Kind {
        char const *name, *container, *encoding;
    };
    for (Kind const& k : {Kind{"pcm16.wav", "WAV", "16-bit"}, Kind{"pcm24.wav", "WAV", "24-bit"},
                          Kind{"float.wav", "WAV", "float"}, Kind{"rf64.wav", "WAV", "16-bit"},
                          Kind{"ulaw.wav", "WAV", "mu-law"}, Kind{"a.flac", "FLAC", "16-bit"},
                          Kind{"vorbis.ogg", "Ogg", "Vorbis"}, Kind{"opus.ogg", "Ogg", "Opus"},
                          Kind{"a.mp3", "MP3", "MPEG"}}) {
        auto const all = read_all(folder + k.name);
        ASSERT_TRUE(all) << all.error().text();
        EXPECT_EQ(all->sound.container, k.container) << k.name;
        EXPECT_EQ(all->sound.encoding, k.encoding) << k.name;
        EXPECT_EQ(all->sound.channels, 2) << k.name;
        float most = 0;
        for (float const v : all->values) most = std::max(most, std::abs(v));
        EXPECT_GT(most, 0.05f) << k.name;
        EXPECT_LT(most, 0.6f) << k.name;
        EXPECT_EQ(*all->sound.frames * 2, std::ssize(all->values));
    }
}

}  // namespace
}  // namespace sluice::audio
