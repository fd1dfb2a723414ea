// Source: the samples of a sound file, block by block.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "audio/format.h"
#include "sluice/progress.h"

namespace sluice::audio {

/// A sound file open for reading: WAV, FLAC, Ogg (Vorbis, Opus) and MP3, by libsndfile. Memory does
/// not grow with the length. For one thread at a time.
class Source {
  public:
    static Result<Source> open(std::string const& path);
    /// A file that is in memory; the bytes must outlive it. `name` is for messages.
    static Result<Source> open(Bytes bytes, std::string name);
    Source(Source&& other) noexcept;
    Source& operator=(Source&& other) noexcept;
    ~Source();

    Sound const& sound() const;
    /// The next frames as [frames][channels] into `block`, a whole number of frames; integers are
    /// divided so that full scale is 1. Returns how many frames there are; fewer than `block` holds
    /// only at the end, and then 0. Errors: a sample that is not finite, a file that ends
    /// before its header says or holds no frame at all, bytes that cannot be decoded.
    Result<index> read(std::span<float> block);

  private:
    struct State;
    explicit Source(std::unique_ptr<State> state);
    static Result<Source> open(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

/// A sound with all its samples.
struct Samples {
    Sound sound;                ///< with its frames
    std::vector<float> values;  ///< [frames][channels]
};

/// Reads a whole file: 4 bytes a sample, taken as they are decoded. `progress` counts frames.
Result<Samples> read_all(std::string const& path, Progress const& progress = {});

}  // namespace sluice::audio
