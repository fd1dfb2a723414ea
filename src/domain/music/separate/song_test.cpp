// Sound files to folders of stems.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "audio/sink.h"
#include "audio/source.h"
#include "domain/music/separate/model.h"
#include "domain/music/separate/stand_ins_test.h"
#include "sluice/music_song.h"

namespace sluice::music {
namespace {

namespace fs = std::filesystem;

Model stand_in(StandIn const& network, std::vector<std::string> stems) {
    auto state = std::make_unique<Model::State>();
    state->name = "stand-in";
    state->network = std::make_unique<StandIn>(network);
    state->stems = std::move(stems);
    return Model(std::move(state));
}

/// The first stem is the mix times a factor.
Model louder(float factor) {
    return stand_in({400, 1,
                     [factor](std::span<float const> mix, std::span<float> out) {
                         for (std::size_t k = 0; k < out.size(); ++k) out[k] = factor * mix[k];
                     }},
                    {"vocals"});
}

struct MusicSong : testing::Test {
    fs::path home = fs::path(testing::TempDir()) / ("music_song_" + std::to_string(::getpid()));
    std::string out = home / "out";
    void SetUp() override {
        fs::remove_all(home);
        fs::create_directories(home);
    }
    void TearDown() override { fs::remove_all(home); }

    std::string save(std::string const& name, audio::Target const& target, float factor = 0.5f,
                     index frames = 3'000) const {
        std::vector<float> samples = song(frames * target.channels);
        for (float& v : samples) v *= factor;
        audio::Sink sink = audio::Sink::create(home / name, target).value();
        sink.write(samples).value();
        sink.finish().value();
        return home / name;
    }
    static Result<SongReport> separate(Model& model, std::string const& song,
                                       std::string const& folder, SongOptions const& o = {}) {
        Model* const one = &model;
        return separate_song({&one, 1}, song, folder, o);
    }
};

std::vector<std::int64_t> whole(std::string const& path, int bits) {
    std::vector<std::int64_t> out;
    for (float const v : audio::read_all(path).value().values)
        out.push_back(std::int64_t(double(v) * std::ldexp(1.0, bits - 1)));
    return out;
}

TEST_F(MusicSong, KeepsRateDepthLengthAndTags) {
    using audio::Encoding;
    Model model = stand_in(scrambler(400), {"Vocals", "Instrumental"});
    for (auto const& [name, encoding, channels, rate] :
         {std::tuple("a.wav", Encoding::pcm16, 2, 48'000),
          {"b.flac", Encoding::pcm24, 1, 44'100},
          {"c.wav", Encoding::float32, 2, 22'050}}) {
        audio::Target target;
        target.rate = rate;
        target.channels = channels;
        target.encoding = encoding;
        target.tags.title = "A song";
        std::string const song = save(name, target);
        std::string const folder = out + name;
        SongReport const r = separate(model, song, folder).value();
        audio::Sound const from = audio::Source::open(song).value().sound();
        ASSERT_EQ(r.stems.size(), 2u);
        for (StemFile const& s : r.stems) {
            EXPECT_EQ(fs::path(s.path).extension(), fs::path(name).extension());
            audio::Sound const to = audio::Source::open(s.path).value().sound();
            EXPECT_EQ(to.rate, from.rate);
            EXPECT_EQ(to.channels, from.channels);
            EXPECT_EQ(to.frames, from.frames);
            EXPECT_EQ(to.encoding, from.encoding);
            EXPECT_EQ(to.tags.title, "A song");
        }
        EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
    }
}

TEST_F(MusicSong, OfIntegersIsTheSumOfItsStems) {
    Model model = stand_in(scrambler(400, 3), {"vocals", "drums", "other"});
    for (int const bits : {16, 24}) {
        audio::Target target;
        target.encoding = bits == 16 ? audio::Encoding::pcm16 : audio::Encoding::pcm24;
        std::string const song = save("song.flac", target, 0.2f);
        SongOptions o;
        o.force = true;
        SongReport const r = separate(model, song, out, o).value();
        EXPECT_TRUE(r.sums_up);
        auto const mix = whole(song, bits);
        std::vector<std::int64_t> sum(mix.size());
        for (StemFile const& s : r.stems) {
            auto const stem = whole(s.path, bits);
            EXPECT_EQ(s.beyond, 0u);
            for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += stem[k];
        }
        EXPECT_EQ(sum, mix);
    }
}

TEST_F(MusicSong, IsWrittenAsAsked) {
    Model model = louder(1);
    std::string const song = save("song.wav", {});
    auto const written = [&](SoundFormat format, Depth depth) {
        SongOptions o;
        o.format = format;
        o.depth = depth;
        o.force = true;
        auto const r = separate(model, song, out, o);
        return r ? r->written : r.error().text();
    };
    EXPECT_EQ(written(SoundFormat::automatic, Depth::automatic), "WAV, 24-bit");
    EXPECT_EQ(written(SoundFormat::flac, Depth::pcm16), "FLAC, 16-bit");
    EXPECT_EQ(written(SoundFormat::automatic, Depth::float32), "WAV, float");
    EXPECT_NE(written(SoundFormat::flac, Depth::float32).find("FLAC cannot hold float"),
              std::string::npos);
}

TEST_F(MusicSong, KeepsItsLevelUnlessItIsAsked) {
    Model model = louder(4);
    audio::Target target;
    target.encoding = audio::Encoding::float32;
    std::string const song = save("song.wav", target, 0.5f);
    auto const peaks = [&](Clip clip, Depth depth) {
        SongOptions o;
        o.clip = clip;
        o.depth = depth;
        o.force = true;
        SongReport const r = separate(model, song, out, o).value();
        EXPECT_GT(r.stems[0].beyond, 1'000u);
        EXPECT_NEAR(r.stems[0].peak, 2, 0.01);
        std::vector<double> found = {r.gain};
        for (StemFile const& s : r.stems) {
            auto const all = audio::read_all(s.path).value().values;
            found.push_back(std::fabs(
                *std::ranges::max_element(all, {}, [](float v) { return std::fabs(v); })));
        }
        return found;
    };
    auto const expect = [](std::vector<double> const& found, std::vector<double> const& wanted) {
        ASSERT_EQ(found.size(), wanted.size());
        for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], wanted[k], 0.01);
    };
    // The gain, vocals, and the song without them.
    expect(peaks(Clip::none, Depth::automatic), {1, 2, 1.5});
    expect(peaks(Clip::none, Depth::pcm16), {1, 1, 1});
    expect(peaks(Clip::clamp, Depth::automatic), {1, 1, 1});
    expect(peaks(Clip::rescale, Depth::automatic), {0.5, 1, 0.75});
    expect(peaks(Clip::rescale, Depth::pcm24), {0.5, 1, 0.75});
}

TEST_F(MusicSong, DithersOnlyWhenAsked) {
    Model model = louder(0);
    std::string const song = save("song.wav", {});
    SongOptions o;
    o.separate.stems = {"vocals"};
    o.force = true;
    auto const loudest = [&] {
        auto const values = whole(separate(model, song, out, o).value().stems[0].path, 24);
        return *std::ranges::max_element(values);
    };
    EXPECT_EQ(loudest(), 0);
    o.dither = true;
    EXPECT_EQ(loudest(), 1);
}

TEST_F(MusicSong, IsLeftWhereItsStemsAre) {
    Model model = stand_in(scrambler(400), {"Vocals", "Instrumental"});
    std::string const song = save("song.wav", {});
    SongOptions o;
    o.skip_existing = true;
    EXPECT_FALSE(separate(model, song, out, o).value().skipped);
    EXPECT_TRUE(separate(model, song, out, o).value().skipped);
    fs::remove(fs::path(out) / "Vocals.wav");
    auto const half = separate(model, song, out, o);
    ASSERT_FALSE(half);
    EXPECT_NE(half.error().message.find("without all requested stems"), std::string::npos);
    o.separate.stems = {"instrumental"};
    EXPECT_TRUE(separate(model, song, out, o).value().skipped);
    EXPECT_FALSE(separate(model, song, out));
    o.force = true;
    o.separate.stems = {};
    EXPECT_FALSE(separate(model, song, out, o).value().skipped);
    EXPECT_TRUE(fs::exists(fs::path(out) / "Vocals.wav"));
}

TEST_F(MusicSong, LeavesNothingWhenItFails) {
    StandIn broken(400, 1, [n = 0](std::span<float const>, std::span<float> out) mutable {
        std::ranges::fill(out, ++n > 8 ? std::nanf("") : 0.0f);
    });
    Model model = stand_in(broken, {"vocals"});
    std::string const song = save("song.wav", {});
    auto const r = separate(model, song, out);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().file, song);
    // It computes in fp32: that cannot be the advice.
    EXPECT_EQ(r.error().message.find("fp32"), std::string::npos) << r.error().message;
    Model good = louder(1);
    SongOptions o;
    int calls = 0;
    o.separate.progress = [&](std::uint64_t, std::uint64_t) { return ++calls < 5; };
    EXPECT_EQ(separate(good, song, out, o).error().code, Code::cancelled);
    EXPECT_EQ(std::distance(fs::directory_iterator(home), {}), 1) << "only the song";
}

TEST_F(MusicSong, OfAFewFramesIsSeparated) {
    Model model = stand_in(scrambler(400), {"Vocals", "Instrumental"});
    for (index const frames : {1, 2, 100}) {
        std::string const song = save("song.wav", {}, 0.5f, frames);
        SongOptions o;
        o.force = true;
        EXPECT_EQ(separate(model, song, out, o).value().frames, frames);
    }
}

TEST_F(MusicSong, MustBeASong) {
    Model model = louder(1);
    std::ofstream(home / "text.wav") << "no sound at all";
    EXPECT_EQ(separate(model, home / "text.wav", out).error().file, home / "text.wav");
    EXPECT_FALSE(separate(model, home / "none.wav", out));
    EXPECT_FALSE(fs::exists(out));
}

TEST_F(MusicSong, StemsOfOneFileAreRefused) {
    Model model = stand_in(identity(400, 2), {"Vocals", "other"});
    std::string const song = save("song.wav", {});
    SongOptions o;
    o.separate.complement = "\xc3\xa9";
    EXPECT_TRUE(separate(model, song, home / "a", o));
    Model accent = stand_in(identity(400, 2), {"e\xcc\x81", "other"});
    auto const same = separate(accent, song, home / "b", o);
    ASSERT_FALSE(same);
    EXPECT_NE(same.error().message.find("some systems do not tell these apart"), std::string::npos);
    o.separate.complement = std::string(300, 'x');
    auto const longer = separate(model, song, home / "c", o);
    ASSERT_FALSE(longer);
    EXPECT_EQ(longer.error().code, Code::invalid_argument);
    EXPECT_NE(longer.error().message.find("a name of 305 bytes"), std::string::npos);
    EXPECT_FALSE(fs::exists(home / "c"));
}

// Their temporary names would be longer than any name can be.
TEST_F(MusicSong, NamesMayBeAsLongAsTheSystemHasThem) {
    Model model = louder(1);
    for (std::size_t const n : {240, 246, 251}) {
        std::string const name(n, 'n');
        std::string const song = save("song.wav", {});
        EXPECT_TRUE(separate(model, song, home / name)) << n;
        EXPECT_TRUE(fs::exists(home / name / "vocals.wav")) << n;
    }
    auto const refused = separate(model, save("song.wav", {}), home / std::string(256, 'n'));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::invalid_argument) << "others go on";
}

TEST_F(MusicSong, NamesOfStemsStayInTheFolder) {
    Model model = stand_in(identity(400, 2), {"../../a/b", ".hidden"});
    std::string const song = save("song.wav", {});
    SongReport const r = separate(model, song, out).value();
    EXPECT_EQ(r.stems[0].path, out + "/_.._.._a_b.wav");
    EXPECT_EQ(r.stems[1].path, out + "/_.hidden.wav");
}

}  // namespace
}  // namespace sluice::music
