// The kinds of sound files: which are read, which are written, and what they are called.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::audio {

/// What a file of sound holds.
struct Sound {
    int rate = 0;                 ///< frames per second
    index channels = 0;           ///< samples of a frame
    std::optional<index> frames;  ///< nothing where only decoding tells, as of MP3
    std::string container;        ///< "WAV", "FLAC", "Ogg" or "MP3"
    std::string encoding;         ///< "16-bit", "24-bit", "float", "Vorbis" and so on
};

/// How samples are stored.
enum class Encoding : std::uint8_t { pcm16, pcm24, float32 };

/// What is written.
struct Target {
    int rate = 44'100;
    index channels = 2;
    Encoding encoding = Encoding::pcm24;
};

/// Whether the first bytes are those of a container that is read. Only such files reach libsndfile,
/// which knows two dozen more that nobody separates and few have tested.
bool is_sound(Bytes first);

/// The word of libsndfile's number for a container; empty if it is not read here.
std::string container_word(int format);
/// The word of its number for an encoding; empty if it is not read here.
std::string encoding_word(int format);

/// libsndfile's number for a file to be written, by the ending of its path.
Result<int> format_to_write(std::string const& path, Target const& target);

}  // namespace sluice::audio
