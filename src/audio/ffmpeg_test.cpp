// Tests of sounds that ffmpeg decodes: by the program where it is installed, and by scripts that
// stand for it and do what broken programs do.
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

#include "audio/child.h"
#include "audio/files_test.h"

namespace sluice::audio {
namespace {

/// PATH is a folder of scripts, and put back at the end.
class Programs {
  public:
    explicit Programs(SoundFolder const& folder) : folder_(folder), before_(::getenv("PATH")) {
        std::filesystem::create_directories(folder.file("bin"));
        ::setenv("PATH", folder.file("bin").c_str(), 1);
    }
    Programs(Programs const&) = delete;
    Programs& operator=(Programs const&) = delete;
    ~Programs() { ::setenv("PATH", before_.c_str(), 1); }

    void put(std::string const& name, std::string const& script) const {
        std::string const path = folder_.file("bin/" + name);
        std::ofstream(path) << "#!/bin/sh\nPATH=/usr/bin:/bin\n" << script << "\n";
        ::chmod(path.c_str(), 0755);
    }
    /// An ffprobe that answers properly, and an ffmpeg.
    void put_both(std::string const& ffmpeg) const {
        put("ffprobe", answer);
        put("ffmpeg", ffmpeg);
    }

    static constexpr char const* answer =
        "cat <<'X'\nstream.0.codec_name=\"aac\"\nstream.0.sample_fmt=\"fltp\"\n"
        "stream.0.sample_rate=\"8000\"\nstream.0.channels=2\nformat.format_name=\"mov,mp4,m4a\"\n"
        "format.duration=\"1.5\"\nstream.0.tags.TITLE=\"a\\nb\"\nX";

  private:
    SoundFolder const& folder_;
    std::string before_;
};

std::string put_file(SoundFolder const& folder, std::string const& name) {
    std::ofstream(folder.file(name), std::ios::binary) << std::string(
        "\0\0\0\x1c"
        "ftypM4A \0\0",
        14);
    return folder.file(name);
}

/// What goes wrong when a file is read to its end.
Error end_of(std::string const& path) {
    auto const all = read_all(path);
    return all ? Error{} : all.error();
}

bool has(Error const& e, char const* part) {
    return e.message.find(part) != std::string::npos;
}

TEST(AudioFfmpeg, TellsWhatIsNoSoundFromWhatNeedsIt) {
    SoundFolder const folder;
    Programs const programs(folder);
    Error const needs = end_of(put_file(folder, "a.m4a"));
    EXPECT_EQ(needs.code, Code::unsupported);
    EXPECT_TRUE(has(needs, "ffprobe is not installed) install ffmpeg")) << needs.text();
    EXPECT_EQ(needs.file, folder.file("a.m4a"));
    std::ofstream(folder.file("b.m4a")) << "some text that is no sound";
    Error const none = end_of(folder.file("b.m4a"));
    EXPECT_TRUE(has(none, "is not a sound file")) << none.text();
    auto const bytes = bytes_of(folder.file("a.m4a"));
    EXPECT_TRUE(has(Source::open(bytes, "x").error(), "from a file only"));
}

TEST(AudioFfmpeg, ReadsWhatItSends) {
    SoundFolder const folder;
    auto const samples = noise(5000, 2);
    std::ofstream(folder.file("samples"), std::ios::binary)
        .write(reinterpret_cast<char const*>(samples.data()),
               static_cast<std::streamsize>(samples.size() * sizeof(float)));
    Programs const programs(folder);
    programs.put_both("cat " + folder.file("samples"));
    auto const all = read_all(put_file(folder, "a.m4a"));
    ASSERT_TRUE(all) << all.error().text();
    EXPECT_EQ(all->values, samples);
    EXPECT_EQ(all->sound.rate, 8000);
    EXPECT_EQ(all->sound.channels, 2);
    EXPECT_EQ(all->sound.about, 12'000);
    EXPECT_EQ(all->sound.container, "MP4");
    EXPECT_EQ(all->sound.encoding, "AAC");
    EXPECT_EQ(all->sound.tags.title, "a b");
}

TEST(AudioFfmpeg, SaysWhatABrokenProgramDoes) {
    SoundFolder const folder;
    Programs const programs(folder);
    std::string const file = put_file(folder, "a.m4a");
    programs.put("ffprobe", "echo moov atom not found >&2; exit 1");
    EXPECT_TRUE(has(end_of(file), "(ffprobe: moov atom not found)"));
    programs.put("ffprobe", "kill -9 $$");
    EXPECT_TRUE(has(end_of(file), "(ffprobe: ends with 137)"));
    programs.put("ffprobe", "echo nonsense");
    EXPECT_TRUE(has(end_of(file), "answer that cannot be parsed"));
    programs.put("ffprobe", "yes | head -c 1000000");
    EXPECT_TRUE(has(end_of(file), "answer that cannot be parsed"));
    programs.put("ffprobe", "echo 'format.format_name=\"mov\"'");
    EXPECT_TRUE(has(end_of(file), "holds no sound (ffprobe finds no audio"));
    programs.put("ffprobe", "printf 'stream.0.codec_name=\"aac\"\\nstream.0.channels=0\\n'");
    EXPECT_TRUE(has(end_of(file), "has 0 channels of 0 frames"));

    programs.put_both("head -c 8000 /dev/zero; echo bad packet >&2");
    Error const said = end_of(file);
    EXPECT_EQ(said.code, Code::corrupt);
    EXPECT_TRUE(has(said, "read up to frame 1000 (0.125 s) (ffmpeg: bad packet)")) << said.text();
    programs.put_both("head -c 8000 /dev/zero; exit 3");
    EXPECT_TRUE(has(end_of(file), "(ffmpeg: ends with 3)"));
    programs.put_both("head -c 8003 /dev/zero");
    EXPECT_TRUE(has(end_of(file), "ends within a frame"));
    programs.put_both("exit 0");
    EXPECT_TRUE(has(end_of(file), "holds no sound"));
    // More complaints than a pipe holds, before the first sample.
    programs.put_both("yes damaged | head -c 1000000 >&2; head -c 8000 /dev/zero");
    EXPECT_TRUE(has(end_of(file), "(ffmpeg: damaged damaged"));
}

// Neither an option, nor an address, nor words for a shell, whatever the name of the file.
TEST(AudioFfmpeg, GetsNamesAsTheyAre) {
    SoundFolder const folder;
    Programs const programs(folder);
    auto const here = std::filesystem::current_path();
    std::string const log = folder.file("log");
    programs.put("ffprobe", "for w; do echo \"[$w]\" >> " + log + "; done\n" + Programs::answer);
    programs.put("ffmpeg", "for w; do echo \"[$w]\" >> " + log + "; done\nhead -c 8000 /dev/zero");
    std::filesystem::current_path(folder.file(""));
    for (std::string const name : {"-version", "http:a b", "a$(touch x);'\"", "pipe:0", "\xff*?"}) {
        put_file(folder, name);
        EXPECT_EQ(end_of(name).message, "") << name;
        std::ifstream in(log);
        std::string const all{std::istreambuf_iterator<char>(in), {}};
        std::string const word = "[-i]\n[file:" + name + "]\n";
        std::size_t const first = all.find(word);
        ASSERT_NE(first, std::string::npos) << all;
        EXPECT_NE(all.find(word, first + 1), std::string::npos) << all;
        EXPECT_EQ(all.find("[" + name + "]"), std::string::npos) << all;
        std::filesystem::remove(log);
    }
    EXPECT_FALSE(std::filesystem::exists("x"));
    std::filesystem::current_path(here);
}

// Whether the process of that number is there and not a zombie.
bool runs(pid_t pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text{std::istreambuf_iterator<char>(stat), {}};
    auto const end = text.rfind(')');
    return end != std::string::npos && end + 2 < text.size() && text[end + 2] != 'Z';
}

pid_t number_in(std::string const& path) {
    pid_t pid = 0;
    for (int tries = 0; tries < 6000 && !(std::ifstream(path) >> pid); ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return pid;
}

TEST(AudioFfmpeg, LeavesNoProcessBehind) {
    SoundFolder const folder;
    Programs const programs(folder);
    // One that ignores what asks it to end, with a child of its own, and never stops writing.
    programs.put_both("trap '' TERM INT PIPE; sleep 1000 & echo $! > " + folder.file("child") +
                      "; echo $$ > " + folder.file("pid") + "; while true; do yes; done");
    pid_t pid = 0, child = 0;
    {
        Source source = Source::open(put_file(folder, "a.m4a")).value();
        std::vector<float> block(2000);
        EXPECT_FALSE(source.read(block).value() == 0);
        pid = number_in(folder.file("pid"));
        child = number_in(folder.file("child"));
        EXPECT_GT(pid, 0);
        EXPECT_TRUE(runs(pid) && runs(child));
    }
    for (int tries = 0; tries < 6000 && (runs(pid) || runs(child)); ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(runs(pid));
    EXPECT_FALSE(runs(child));
    // One that says nothing.
    programs.put("mute", "exec sleep 1000");
    std::vector<std::byte> some(10);
    Child mute = Child::start({"mute"}).value();
    auto const silent = mute.read(some, 1);
    ASSERT_FALSE(silent);
    EXPECT_TRUE(has(silent.error(), "says nothing for 1 s"));
}

/// A sine of 440 Hz at 0.4, made into a file by the program itself.
std::string made_by_ffmpeg(SoundFolder const& folder, std::string const& name,
                           std::vector<std::string> const& how) {
    std::vector<std::string> words{
        "ffmpeg",    "-nostdin",
        "-v",        "error",
        "-f",        "lavfi",
        "-i",        "sine=frequency=440:duration=2:sample_rate=44100,volume=3.2",
        "-ac",       "2",
        "-metadata", "title=A t\xc3\xaftle",
        "-metadata", "artist=me"};
    words.insert(words.end(), how.begin(), how.end());
    words.push_back("file:" + folder.file(name));
    auto child = Child::start(words);
    if (!child) return "is not installed";
    std::vector<std::byte> none(1);
    if (!child->read(none)) return "says nothing";
    return child->wait() == 0 ? "" : child->errors();
}

TEST(AudioFfmpeg, ReadsEveryKindOfFile) {
    SoundFolder const folder;
    if (auto const why = made_by_ffmpeg(folder, "probe.wav", {}); !why.empty())
        GTEST_SKIP() << "ffmpeg " << why;
    struct Kind {
        char const *name, *container, *encoding;
        std::vector<std::string> how;
    };
    for (Kind const& k :
         {Kind{"a.m4a", "MP4", "AAC", {}}, Kind{"a.mp4", "MP4", "AAC", {}},
          Kind{"a.mov", "MP4", "AAC", {}},
          Kind{"alac.m4a", "MP4", "16-bit", {"-c:a", "alac", "-sample_fmt", "s16p"}},
          Kind{"a.mkv", "Matroska", "", {"-c:a", "flac"}}, Kind{"a.wma", "ASF", "WMAV2", {}},
          Kind{"a.aiff", "AIFF", "16-bit", {}}, Kind{"a.caf", "CAF", "16-bit", {}},
          Kind{"a.avi", "AVI", "", {}}, Kind{"a.ac3", "AC3", "AC3", {}},
          Kind{"a.aac", "AAC", "AAC", {}}, Kind{"a.wv", "WV", "", {}},
          Kind{"a.tta", "TTA", "16-bit", {"-sample_fmt", "s16"}},
          Kind{"a.oga", "OGG", "16-bit", {"-c:a", "flac", "-sample_fmt", "s16"}},
          Kind{"a.ts", "MPEGTS", "", {}}, Kind{"a.wav", "WAV", "ADPCM_MS", {"-c:a", "adpcm_ms"}}}) {
        std::string const why = made_by_ffmpeg(folder, k.name, k.how);
        ASSERT_EQ(why, "") << k.name;
        auto const all = read_all(folder.file(k.name));
        ASSERT_TRUE(all) << k.name << ": " << all.error().text();
        EXPECT_EQ(all->sound.container, k.container) << k.name;
        // Where nothing is said, versions of ffmpeg choose differently.
        if (*k.encoding != 0) {
            EXPECT_EQ(all->sound.encoding, k.encoding) << k.name;
        }
        EXPECT_EQ(all->sound.rate, 44'100) << k.name;
        EXPECT_EQ(all->sound.channels, 2) << k.name;
        EXPECT_NEAR(static_cast<double>(*all->sound.frames), 88'200, 5000) << k.name;
        // The power in the middle, of an amplitude of 3.2 / 8, spread over two channels.
        double power = 0;
        for (std::size_t i = 40'000; i < 120'000; ++i) power += all->values[i] * all->values[i];
        EXPECT_NEAR(power / 80'000, 0.04, 0.006) << k.name;
    }
    auto const tagged = Source::open(folder.file("a.mkv"));
    ASSERT_TRUE(tagged);
    EXPECT_EQ(tagged->sound().tags.title, "A t\xc3\xaftle");
    EXPECT_EQ(tagged->sound().tags.artist, "me");
}

TEST(AudioFfmpeg, SaysWhatIsWrongWithDamagedFiles) {
    SoundFolder const folder;
    if (auto const why = made_by_ffmpeg(folder, "a.m4a", {"-movflags", "faststart"}); !why.empty())
        GTEST_SKIP() << "ffmpeg " << why;
    auto const bytes = bytes_of(folder.file("a.m4a"));
    for (std::size_t const left : {bytes.size() / 2, std::size_t{200}, std::size_t{20}}) {
        std::ofstream(folder.file("cut.m4a"), std::ios::binary)
            .write(reinterpret_cast<char const*>(bytes.data()), static_cast<std::streamsize>(left));
        Error const e = end_of(folder.file("cut.m4a"));
        EXPECT_NE(e.message, "") << left;
        EXPECT_EQ(e.file, folder.file("cut.m4a"));
    }
    // A list of other files is not sound, whatever it is called.
    std::ofstream(folder.file("list.m4a")) << "#EXTM3U\n#EXTINF:1,\nfile:" << folder.file("a.m4a");
    EXPECT_TRUE(has(end_of(folder.file("list.m4a")), "is not a sound file"));
}

}  // namespace
}  // namespace sluice::audio
