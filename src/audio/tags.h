// Tags: what a sound file says of its song.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace sluice::audio {

/// UTF-8, empty where nothing is said; most_tag bytes at most.
struct Tags {
    std::string title = {}, artist = {}, album = {}, track = {}, date = {}, comment = {};
    bool operator==(Tags const&) const = default;
};

constexpr std::size_t most_tag = 2000;  // libsndfile reads no longer ones of WAV

/// A tag and its names: in FFmpeg, in RIFF's list INFO, and libsndfile's number.
struct TagName {
    std::string Tags::*tag;
    std::string_view word, riff;
    int number;
};
extern std::array<TagName, 6> const tag_names;

/// Text of a file: text that is not UTF-8 is taken as Latin-1. Control characters become spaces,
/// and text beyond most_tag bytes is cut off.
std::string tag_text(std::string_view text);

}  // namespace sluice::audio
