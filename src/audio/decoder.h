// Decoder: what makes samples of a file's bytes; a library, or another program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "audio/format.h"
#include "base/file.h"

namespace sluice::audio {

/// Of one file, from its beginning to its end.
class Decoder {
  public:
    virtual ~Decoder() = default;
    virtual Sound const& sound() const = 0;
    /// Frames as [frames][channels] to `out`; fewer than `frames` only at the end, or before an
    /// error, which end() then has.
    virtual Result<index> read(float* out, index frames) = 0;
    /// Why there is no more, after `position` frames: an error, or the end of the file.
    virtual Status end(index position) = 0;
};

/// "frame 441 (0.010 s)"
std::string place(Sound const& sound, index frame);

/// A file, or its bytes, which must outlive the decoder; `name` is for messages.
struct Input {
    std::string name;
    std::optional<File> file;
    Bytes bytes;

    std::uint64_t size() const { return file ? file->size() : bytes.size(); }
    Status read(std::uint64_t offset, std::span<std::byte> out) const;
    Error error(Code code, std::string message) const { return {code, std::move(message), name}; }
};

constexpr char const* what_is_read = "WAV, FLAC, Ogg and MP3 are read";

/// Code::unsupported where the file holds a kind of sound that libsndfile does not decode.
Result<std::unique_ptr<Decoder>> open_by_libsndfile(Input input);
/// The file must have a path.
Result<std::unique_ptr<Decoder>> open_by_ffmpeg(std::string const& path);

}  // namespace sluice::audio
