// The table of containers and encodings.
// SPDX-License-Identifier: Apache-2.0
#include "audio/format.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace sluice::audio {
namespace {

using namespace std::string_view_literals;

std::string ending_of(std::string const& path) {
    auto const dot = path.find_last_of("./");
    if (dot == std::string::npos || path[dot] == '/') return {};
    std::string ending = path.substr(dot);
    std::ranges::transform(ending, ending.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

}  // namespace

bool has_ending_of_sound(std::string const& path) {
    static constexpr std::string_view endings[] = {
        ".wav"sv, ".flac"sv, ".ogg"sv, ".oga"sv,  ".opus"sv, ".mp3"sv, ".m4a"sv,  ".mp4"sv,
        ".mov"sv, ".mkv"sv,  ".mka"sv, ".webm"sv, ".wma"sv,  ".aac"sv, ".aif"sv,  ".aiff"sv,
        ".caf"sv, ".ac3"sv,  ".ape"sv, ".wv"sv,   ".tta"sv,  ".w64"sv, ".rf64"sv, ".avi"sv};
    return std::ranges::find(endings, ending_of(path)) != std::end(endings);
}

Encoding encoding_like(Sound const& sound) {
    if (sound.encoding == "8-bit" || sound.encoding == "16-bit") return Encoding::pcm16;
    bool const more =
        sound.encoding == "float" || sound.encoding == "double" || sound.encoding == "32-bit";
    return more ? Encoding::float32 : Encoding::pcm24;
}

std::string container_word(int format) {
    switch (format & SF_FORMAT_TYPEMASK) {
        case SF_FORMAT_WAV:
        case SF_FORMAT_WAVEX:
        case SF_FORMAT_RF64:
            return "WAV";
        case SF_FORMAT_FLAC:
            return "FLAC";
        case SF_FORMAT_OGG:
            return "Ogg";
        case SF_FORMAT_MPEG:
            return "MP3";
        default:
            return {};
    }
}

std::string encoding_word(int format) {
    switch (format & SF_FORMAT_SUBMASK) {
        case SF_FORMAT_PCM_S8:
        case SF_FORMAT_PCM_U8:
            return "8-bit";
        case SF_FORMAT_PCM_16:
            return "16-bit";
        case SF_FORMAT_PCM_24:
            return "24-bit";
        case SF_FORMAT_PCM_32:
            return "32-bit";
        case SF_FORMAT_FLOAT:
            return "float";
        case SF_FORMAT_DOUBLE:
            return "double";
        case SF_FORMAT_ULAW:
            return "mu-law";
        case SF_FORMAT_ALAW:
            return "A-law";
        case SF_FORMAT_VORBIS:
            return "Vorbis";
        case SF_FORMAT_OPUS:
            return "Opus";
        case SF_FORMAT_MPEG_LAYER_I:
        case SF_FORMAT_MPEG_LAYER_II:
        case SF_FORMAT_MPEG_LAYER_III:
            return "MPEG";
        default:
            return {};
    }
}

Result<FileKind> kind_to_write(std::string const& path, Target const& target) {
    std::string const ending = ending_of(path);
    bool const flac = ending == ".flac";
    if (!flac && ending != ".wav")
        return Error{Code::invalid_argument,
                     fmt::format("no sound is written to a name that ends in '{}' (the ending says "
                                 "which format) end it in .wav or .flac",
                                 ending),
                     path};
    if (flac && target.encoding == Encoding::float32)
        return Error{Code::invalid_argument,
                     "FLAC cannot hold float samples (its samples are integers) write WAV, or take "
                     "24 bits",
                     path};
    return flac ? FileKind::flac : FileKind::wav;
}

}  // namespace sluice::audio
