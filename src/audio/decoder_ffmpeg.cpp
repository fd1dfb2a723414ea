// Decoder by the program ffmpeg: ffprobe says what a file holds, ffmpeg sends its samples.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "audio/child.h"
#include "audio/decoder.h"
#include "audio/flat.h"

namespace sluice::audio {
namespace {

// A file must not choose what is opened: formats that name other files (playlists,
// manifests) are left out, and no address of a network is opened.
constexpr char const* formats =
    "aac,ac3,eac3,aiff,amr,ape,asf,au,avi,caf,dsf,iff,dts,flac,flv,"
    "matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mp3,mpc,mpc8,mpeg,mpegts,ogg,tak,tta,w64,wav,wv";
constexpr std::size_t most_answer = 100'000;
constexpr int patience_s = 60;

Error of_file(std::string const& path, Code code, std::string const& message) {
    return {code, message, path};
}

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return out;
}

Result<Child> start(std::string const& path, std::vector<std::string> const& words) {
    auto child = Child::start(words);
    if (child || child.error().code != Code::not_found) return child;
    return of_file(path, Code::unsupported,
                   fmt::format("is of a kind that the program ffmpeg decodes (and {} is not "
                               "installed) install ffmpeg, or convert the file to WAV or FLAC",
                               words[0]));
}

// The name of a file is never an option, nor an address: it stands behind "file:".
std::vector<std::string> input_of(std::string const& path) {
    return {"-protocol_whitelist", "file", "-format_whitelist", formats, "-i", "file:" + path};
}

Result<std::map<std::string, std::string, std::less<>>> probe(std::string const& path) {
    std::vector<std::string> words{"ffprobe", "-v",  "error",   "-select_streams",
                                   "a:0",     "-of", "flat=h=0"};
    std::string tags;
    for (TagName const& name : tag_names)
        tags += fmt::format("{}{},{}", tags.empty() ? "" : ",", name.word, upper(name.word));
    words.emplace_back("-show_entries");
    words.push_back(fmt::format(
        "stream=codec_name,sample_fmt,sample_rate,channels,bits_per_raw_sample,bits_per_sample,"
        "duration:stream_tags={0}:format=format_name,duration:format_tags={0}",
        tags));
    std::ranges::copy(input_of(path), std::back_inserter(words));
    SLUICE_TRY(Child child, start(path, words));
    std::vector<std::byte> answer(most_answer);
    SLUICE_TRY(index const got, child.read(answer, patience_s));
    int const status = static_cast<std::size_t>(got) == most_answer ? 0 : child.wait();
    if (status != 0)
        return of_file(path, Code::corrupt,
                       fmt::format("cannot be decoded (ffprobe: {}) copy or download it again",
                                   child.errors().empty() ? fmt::format("ends with {}", status)
                                                          : child.errors()));
    std::string_view const text(reinterpret_cast<char const*>(answer.data()),
                                static_cast<std::size_t>(got));
    auto parsed = parse_flat(text);
    if (!parsed) return of_file(path, parsed.error().code, parsed.error().message);
    return parsed;
}

// Of "stream.0.key" or "format.key"; tags of Matroska are in capitals.
std::string value_of(std::map<std::string, std::string, std::less<>> const& answer,
                     std::string_view section, std::string_view key) {
    for (auto const& [name, value] : answer)
        if (name.starts_with(section) && upper(name).ends_with(upper(fmt::format(".{}", key))) &&
            value != "N/A")
            return value;
    return {};
}

template <class T>
T number_of(std::string const& text) {
    T value = 0;
    auto const end = text.data() + text.size();
    auto const [at, failed] = std::from_chars(text.data(), end, value);
    return failed == std::errc() && at == end ? value : T(0);
}

std::string container_of(std::string const& names) {
    if (names.starts_with("mov,")) return "MP4";
    if (names.starts_with("matroska,")) return "Matroska";
    return upper(names.substr(0, names.find(',')));
}

// Codecs that keep every bit are named by their depth, as those of libsndfile are.
std::string encoding_of(std::string const& codec, std::string const& sample, int bits) {
    static constexpr std::string_view lossless[] = {"alac", "ape",     "flac",        "tak",
                                                    "tta",  "wavpack", "wmalossless", "mlp"};
    bool const keeps = std::ranges::find(lossless, codec) != std::end(lossless);
    if (codec.starts_with("pcm_f") || (keeps && sample.starts_with("flt")))
        return codec.starts_with("pcm_f64") ? "double" : "float";
    if ((keeps || codec.starts_with("pcm_s") || codec.starts_with("pcm_u")) && bits > 0)
        return bits <= 8 ? "8-bit" : bits <= 16 ? "16-bit" : bits <= 24 ? "24-bit" : "32-bit";
    return container_of(codec);
}

class ByFfmpeg final : public Decoder {
  public:
    ByFfmpeg(std::string path, Sound sound, Child child)
        : path_(std::move(path)), sound_(std::move(sound)), child_(std::move(child)) {}

    Sound const& sound() const override { return sound_; }
    Result<index> read(float* out, index frames) override;
    Status end(index position) override;

  private:
    std::string path_;
    Sound sound_;
    Child child_;
    bool torn_ = false;  ///< the last frame was not whole
};

Result<index> ByFfmpeg::read(float* out, index frames) {
    std::span<float> const samples(out, static_cast<std::size_t>(frames * sound_.channels));
    auto const got = child_.read(std::as_writable_bytes(samples));
    if (!got) return of_file(path_, got.error().code, got.error().message);
    index const frame = sound_.channels * static_cast<index>(sizeof(float));
    torn_ = *got % frame != 0;
    return *got / frame;
}

Status ByFfmpeg::end(index position) {
    int const status = child_.wait();
    std::string said = child_.errors();
    // ffmpeg goes on after bytes that it cannot decode, and may leave out the rest.
    if (status == 0 && said.empty() && !torn_) return {};
    if (said.empty()) said = torn_ ? "ends within a frame" : fmt::format("ends with {}", status);
    return of_file(path_, Code::corrupt,
                   fmt::format("cannot be decoded, read up to {} (ffmpeg: {}) copy or download it "
                               "again, or convert what can be decoded to WAV",
                               place(sound_, position), said));
}

}  // namespace

Result<std::unique_ptr<Decoder>> open_by_ffmpeg(std::string const& path) {
    SLUICE_TRY(auto const answer, probe(path));
    Sound sound;
    sound.rate = number_of<int>(value_of(answer, "stream", "sample_rate"));
    sound.channels = number_of<int>(value_of(answer, "stream", "channels"));
    if (value_of(answer, "stream", "codec_name").empty())
        return of_file(path, Code::unsupported,
                       "holds no sound (ffprobe finds no audio in it that it knows) give another "
                       "file");
    if (sound.rate < 1 || sound.channels < 1 || sound.channels > 256)
        return of_file(path, Code::corrupt,
                       fmt::format("has {} channels of {} frames per second (1 to 256 channels are "
                                   "read) write it again",
                                   sound.channels, sound.rate));
    std::string const bits = value_of(answer, "stream", "bits_per_raw_sample");
    sound.container = container_of(value_of(answer, "format", "format_name"));
    sound.encoding = encoding_of(
        value_of(answer, "stream", "codec_name"), value_of(answer, "stream", "sample_fmt"),
        number_of<int>(bits.empty() ? value_of(answer, "stream", "bits_per_sample") : bits));
    double const seconds = number_of<double>(value_of(answer, "format", "duration"));
    // Some thousand years: a duration is what the file says.
    if (seconds > 0 && seconds < 1e11) sound.about = std::llround(seconds * sound.rate);
    for (TagName const& name : tag_names) {
        std::string const key = fmt::format("tags.{}", name.word);
        std::string text = value_of(answer, "format", key);
        if (text.empty()) text = value_of(answer, "stream", key);
        sound.tags.*name.tag = tag_text(text);
    }
    std::vector<std::string> words{"ffmpeg", "-nostdin", "-v", "error"};
    std::ranges::copy(input_of(path), std::back_inserter(words));
    for (std::string const& word :
         {std::string("-map"), std::string("0:a:0"), std::string("-c:a"), std::string("pcm_f32le"),
          std::string("-ar"), fmt::format("{}", sound.rate), std::string("-ac"),
          fmt::format("{}", sound.channels), std::string("-f"), std::string("f32le"),
          std::string("pipe:1")})
        words.push_back(word);
    SLUICE_TRY(Child child, start(path, words));
    return std::unique_ptr<Decoder>(
        std::make_unique<ByFfmpeg>(path, std::move(sound), std::move(child)));
}

}  // namespace sluice::audio
