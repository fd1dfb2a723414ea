// Tests of Sink: what is written is read again, clipping is counted, nothing half stays.
// SPDX-License-Identifier: Apache-2.0
#include "audio/sink.h"

#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <limits>

#include "audio/files_test.h"

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
        EXPECT_NE(end.error().message.find("cannot be written"), std::string::npos);
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
    auto const nowhere = Sink::create(folder.file("none/a.wav"), {});
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().file, folder.file("none/a.wav"));
    EXPECT_TRUE(folder.empty());
}

}  // namespace
}  // namespace sluice::audio
