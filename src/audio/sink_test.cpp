// Tests of Sink: what is written is read again, clipping is counted, nothing half stays.
// SPDX-License-Identifier: Apache-2.0
#include "audio/sink.h"

#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <limits>

#include "audio/files_test.h"
#include "audio/wav_header.h"
#include "base/file.h"

namespace sluice::audio {
namespace {

TEST(AudioSink, WritesWhatIsReadAgain) {
    SoundFolder const folder;
    auto const samples = noise(3000, 2);
    for (std::string const name : {"a.wav", "a.flac", "B.WAV"})
        for (Encoding const e : {Encoding::pcm16, Encoding::pcm24, Encoding::float32}) {
            if (name == "a.flac" && e == Encoding::float32) continue;
            Written const w = save(folder.file(name), {48'000, 2, e}, samples);
            EXPECT_EQ(w.frames, 3000);
            EXPECT_EQ(w.beyond, 0u);
            Samples const back = read_all(folder.file(name)).value();
            EXPECT_EQ(back.values, samples) << name;
            EXPECT_EQ(back.sound.rate, 48'000);
            EXPECT_EQ(back.sound.channels, 2);
            EXPECT_EQ(back.sound.container, name == "a.flac" ? "FLAC" : "WAV");
            EXPECT_EQ(back.sound.encoding, e == Encoding::pcm16   ? "16-bit"
                                           : e == Encoding::pcm24 ? "24-bit"
                                                                  : "float");
        }
}

TEST(AudioSink, CountsWhatIsBeyondFullScale) {
    SoundFolder const folder;
    std::vector<float> const samples{0.5f, 1.0f, -1.0f, 1.25f, -2.0f, 0.0f};
    Written const whole = save(folder.file("a.wav"), {44'100, 1, Encoding::pcm16}, samples);
    EXPECT_EQ(whole.beyond, 2u);
    EXPECT_EQ(whole.peak, 2.0f);
    float const most = 32'767.0f / 32'768.0f;
    EXPECT_EQ(read_all(folder.file("a.wav")).value().values,
              (std::vector<float>{0.5f, most, -1.0f, most, -1.0f, 0.0f}));
    Written const floats = save(folder.file("f.wav"), {44'100, 1, Encoding::float32}, samples);
    EXPECT_EQ(floats.beyond, 2u);
    EXPECT_EQ(read_all(folder.file("f.wav")).value().values, samples);
}

TEST(AudioSink, RoundsToTheNearest) {
    SoundFolder const folder;
    float const step = 1.0f / 32'768.0f;
    std::vector<float> const samples{0.4f * step, 0.6f * step, 1.5f * step, -0.6f * step};
    save(folder.file("a.wav"), {44'100, 1, Encoding::pcm16}, samples);
    EXPECT_EQ(read_all(folder.file("a.wav")).value().values,
              (std::vector<float>{0, step, 2 * step, -step}));
}

TEST(AudioSink, GivesTheSameBytesHoweverBlocksAreCut) {
    SoundFolder const folder;
    auto const samples = noise(3000, 2);
    for (Target const& target :
         {Target{44'100, 2, Encoding::pcm24}, Target{44'100, 2, Encoding::float32}}) {
        save(folder.file("a.wav"), target, samples);
        Sink sink = Sink::create(folder.file("b.wav"), target).value();
        for (std::size_t k = 0; k < samples.size(); k += 600)
            ASSERT_TRUE(sink.write(std::span(samples).subspan(k, 600)));
        ASSERT_TRUE(sink.finish());
        EXPECT_EQ(bytes_of(folder.file("a.wav")), bytes_of(folder.file("b.wav")));
    }
}

// The error of rounding with triangular noise has the same mean and power whatever is rounded:
// nothing, and a quarter of a step squared.
TEST(AudioSink, DithersWithTriangularNoise) {
    SoundFolder const folder;
    for (double const offset : {0.0, 0.25, 0.5, 0.8}) {
        std::vector<float> const samples(100'000, static_cast<float>(offset / 32'768));
        Target target{44'100, 1, Encoding::pcm16, 7};
        save(folder.file("a.wav"), target, samples);
        double mean = 0, power = 0;
        for (float const v : read_all(folder.file("a.wav")).value().values) {
            double const error = v * 32'768.0 - offset;
            EXPECT_LT(std::abs(error), 1.5);
            mean += error / 1e5;
            power += error * error / 1e5;
        }
        EXPECT_NEAR(mean, 0, 0.01) << offset;
        EXPECT_NEAR(power, 0.25, 0.01) << offset;
    }
}

TEST(AudioSink, DithersByItsNumber) {
    SoundFolder const folder;
    auto const samples = noise(3000, 2);
    auto const bytes = [&](std::optional<std::uint64_t> seed, std::string const& name) {
        save(folder.file(name), {44'100, 2, Encoding::pcm16, seed}, samples);
        return bytes_of(folder.file(name));
    };
    for (std::string const name : {"a.wav", "a.flac"}) {
        EXPECT_EQ(bytes(7, name), bytes(7, name));
        EXPECT_NE(bytes(7, name), bytes(8, name));
        EXPECT_NE(bytes(7, name), bytes({}, name));
    }
    Target floats{44'100, 2, Encoding::float32, 7};
    save(folder.file("f.wav"), floats, samples);
    EXPECT_EQ(read_all(folder.file("f.wav")).value().values, samples);
    // In parts, too.
    Sink sink = Sink::create(folder.file("b.wav"), {44'100, 2, Encoding::pcm16, 7}).value();
    for (std::size_t k = 0; k < samples.size(); k += 600)
        ASSERT_TRUE(sink.write(std::span(samples).subspan(k, 600)));
    ASSERT_TRUE(sink.finish());
    EXPECT_EQ(bytes_of(folder.file("b.wav")), bytes(7, "a.wav"));
}

TEST(AudioSink, CopiesTags) {
    SoundFolder const folder;
    Tags const tags{"A title", "J\xc3\xb6rg", "album", "3/12", "1999", "odd"};
    for (std::string const name : {"a.wav", "a.flac"}) {
        Target target{44'100, 1, Encoding::pcm24, {}, tags};
        save(folder.file(name), target, noise(101, 1));
        Samples const back = read_all(folder.file(name)).value();
        EXPECT_TRUE(back.sound.tags == tags) << name;
        EXPECT_EQ(back.values, noise(101, 1));
        target.tags.comment = std::string(most_tag, 'x');
        save(folder.file(name), target, noise(101, 1));
        EXPECT_TRUE(read_all(folder.file(name)).value().sound.tags == target.tags) << name;
    }
}

// Six gigabytes that take no room: the header is what a sink writes, the samples are a hole.
TEST(AudioSink, WritesHeadersBeyondFourGiB) {
    SoundFolder const folder;
    for (Encoding const e : {Encoding::pcm16, Encoding::pcm24, Encoding::float32})
        for (std::uint64_t const frames : {std::uint64_t{1'000'000'000}, std::uint64_t{1000}}) {
            Target const target{48'000, 2, e, {}, {.title = "long"}};
            std::uint64_t const bytes = frames * static_cast<std::uint64_t>(frame_bytes(target));
            auto const header = wav_header(target, bytes);
            EXPECT_EQ(header.size(), wav_header(target, 0).size());
            EXPECT_EQ(static_cast<char>(header[1]), bytes > 0xffffffff ? 'F' : 'I');
            auto const path = folder.file("a.wav");
            NewFile file = NewFile::create(path).value();
            ASSERT_TRUE(file.write(header));
            ASSERT_TRUE(file.commit());
            std::filesystem::resize_file(path, header.size() + bytes);
            Source source = Source::open(path).value();
            EXPECT_EQ(source.sound().frames, static_cast<index>(frames));
            EXPECT_EQ(source.sound().tags.title, "long");
            std::vector<float> block(200);
            EXPECT_EQ(source.read(block).value(), 100);
        }
}

TEST(AudioSink, TakesTheEncodingOfItsSource) {
    auto const like = [](char const* encoding) {
        Sound sound;
        sound.encoding = encoding;
        return encoding_like(sound);
    };
    EXPECT_EQ(like("8-bit"), Encoding::pcm16);
    EXPECT_EQ(like("16-bit"), Encoding::pcm16);
    EXPECT_EQ(like("24-bit"), Encoding::pcm24);
    EXPECT_EQ(like("32-bit"), Encoding::float32);
    EXPECT_EQ(like("float"), Encoding::float32);
    EXPECT_EQ(like("Vorbis"), Encoding::pcm24);
}

TEST(AudioSink, LeavesNothingThatIsNotWhole) {
    SoundFolder const folder;
    {
        Sink sink = Sink::create(folder.file("a.flac"), {}).value();
        ASSERT_TRUE(sink.write(noise(3000, 2)));
        EXPECT_FALSE(std::filesystem::exists(folder.file("a.flac")));
    }
    EXPECT_TRUE(folder.empty());
    Sink sink = Sink::create(folder.file("a.wav"), {44'100, 2, Encoding::float32}).value();
    std::vector<float> bad(20);
    bad[7] = std::numeric_limits<float>::quiet_NaN();
    Status const refused = sink.write(bad);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("channel 2 is nan at frame 3"), std::string::npos)
        << refused.error().text();
}

TEST(AudioSink, SaysWhenTheDiskIsFull) {
    SoundFolder const folder;
    auto const samples = noise(100'000, 2);
    // Files of this process cannot grow beyond a limit, as on a full disk.
    auto const handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit const limit{1000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::vector<Status> ends;
    for (std::string const name : {"a.wav", "a.flac"}) {
        Sink sink = Sink::create(folder.file(name), {}).value();
        Status end = sink.write(samples);
        if (end)
            if (auto const finished = sink.finish(); !finished) end = finished.error();
        ends.push_back(std::move(end));
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    for (Status& end : ends) {
        ASSERT_FALSE(end);
        EXPECT_EQ(end.error().code, Code::io);
        bool const flac = end.error().file == folder.file("a.flac");
        EXPECT_NE(end.error().message.find(flac ? "cannot be written" : "writing failed"),
                  std::string::npos);
    }
    EXPECT_TRUE(folder.empty());
}

TEST(AudioSink, RefusesWhatCannotBeWritten) {
    SoundFolder const folder;
    EXPECT_FALSE(Sink::create(folder.file("a.mp3"), {}));
    EXPECT_FALSE(Sink::create(folder.file("wav"), {}));
    EXPECT_FALSE(Sink::create(folder.file("a.flac"), {44'100, 2, Encoding::float32}));
    EXPECT_FALSE(Sink::create(folder.file("a.flac"), {44'100, 9, Encoding::pcm16}));
    EXPECT_FALSE(Sink::create(folder.file("a.wav"), {0, 2, Encoding::pcm16}));
    EXPECT_FALSE(Sink::create(folder.file("a.flac"), {700'000, 2, Encoding::pcm16}));
    auto const nowhere = Sink::create(folder.file("none/a.wav"), {});
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().file, folder.file("none/a.wav"));
    EXPECT_TRUE(folder.empty());
}

}  // namespace
}  // namespace sluice::audio
