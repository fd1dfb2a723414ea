// Separating sound files: a song goes in, a folder with its stems appears.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/music_separate.h"

namespace sluice::music {

/// What stems are written as. `automatic`: as the song is, FLAC for songs of other formats.
enum class SoundFormat : std::uint8_t { automatic, wav, flac };
/// How samples are stored. `automatic`: as the song does; 24 bits where it has no depth, as of MP3.
enum class Depth : std::uint8_t { automatic, pcm16, pcm24, float32 };

/// What becomes of stems beyond full scale. Levels are never changed otherwise.
enum class Clip : std::uint8_t {
    none,     ///< floats are kept; integers cannot hold them and become full scale
    clamp,    ///< they become full scale, also floats
    rescale,  ///< all stems are multiplied by one number, so that the loudest fits
};

struct SongOptions {
    /// `frames` and `bits` are set from the song; the progress is in milliseconds of it.
    SeparateOptions separate;
    SoundFormat format = SoundFormat::automatic;
    Depth depth = Depth::automatic;
    bool dither = false;  ///< integers; without a complement that sums exactly
    Clip clip = Clip::none;
    bool force = false;          ///< replace a folder that is there
    bool skip_existing = false;  ///< leave a folder that has all stems
};

struct StemFile {
    std::string name, path;
    double peak = 0;           ///< the largest magnitude as separated; 1 is full scale
    std::uint64_t beyond = 0;  ///< samples above full scale
};

/// What was done.
struct SongReport {
    std::string song, folder;
    bool skipped = false;  ///< all stems were there
    int rate = 0;
    index channels = 0, frames = 0, chunks = 0;
    std::string written;  ///< "FLAC, 24-bit"
    std::vector<StemFile> stems;
    double gain = 1;       ///< of Clip::rescale
    bool sums_up = false;  ///< stems of integers sum to the song exactly, where none was clipped
    double seconds = 0;    ///< that it took
};

/// Separates a file into folder/STEM.wav or .flac, at the song's rate, channels and length, with
/// its tags. The folder appears with all stems, or not at all. Errors name the song, or the file
/// that could not be written.
Result<SongReport> separate_song(std::span<Model* const> models, std::string const& song,
                                 std::string const& folder, SongOptions const& options);

}  // namespace sluice::music
