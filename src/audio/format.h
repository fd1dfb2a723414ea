// The kinds of sound files: which are read, which are written, and what they are called.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "audio/tags.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::audio {

/// What a file of sound holds.
struct Sound {
    int rate = 0;                 ///< frames per second
    index channels = 0;           ///< samples of a frame
    std::optional<index> frames;  ///< nothing where only decoding tells, as of MP3
    index about = 0;              ///< frames, estimated where they are not known; 0: no idea
    std::string container;        ///< "WAV", "FLAC", "Ogg", "MP3", "MP4" and so on
    std::string encoding;         ///< "16-bit", "24-bit", "float", "Vorbis", "AAC" and so on
    Tags tags;
};

/// How samples are stored.
enum class Encoding : std::uint8_t { pcm16, pcm24, float32 };

/// The smallest that keeps all of a sound's samples; 24 bits where it has no depth of its own, as
/// MP3 has none.
Encoding encoding_like(Sound const& sound);

/// What is written.
struct Target {
    int rate = 44'100;
    index channels = 2;
    Encoding encoding = Encoding::pcm24;
    /// Integers get noise of one step, triangular, so that errors are noise and not distortion. The
    /// number chooses it: equal ones give equal noise.
    std::optional<std::uint64_t> dither = {};
    Tags tags = {};
};

/// Whether a path ends as those of sound files do, in letters of any size: the files of a folder
/// that are tried.
bool has_ending_of_sound(std::string const& path);

/// The word of libsndfile's number for a container; empty if it is not read here.
std::string container_word(int format);
/// The word of its number for an encoding; empty if it is not read here.
std::string encoding_word(int format);

/// What the ending of a path says is to be written.
enum class FileKind : std::uint8_t { wav, flac };
Result<FileKind> kind_to_write(std::string const& path, Target const& target);

}  // namespace sluice::audio
