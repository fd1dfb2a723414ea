// Chunks of RIFF, one after the other.
// SPDX-License-Identifier: Apache-2.0
#include "audio/wav_header.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace sluice::audio {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();

void put(std::vector<std::byte>& to, std::string_view text) {
    for (char const c : text) to.push_back(static_cast<std::byte>(c));
}

void put(std::vector<std::byte>& to, std::uint64_t value, int bytes) {
    for (int k = 0; k < bytes; ++k) to.push_back(static_cast<std::byte>(value >> (8 * k)));
}

// Chunks begin at even places.
void put_list(std::vector<std::byte>& to, Tags const& tags) {
    std::vector<std::byte> list;
    put(list, "INFO");
    for (TagName const& name : tag_names) {
        std::string const& text = tags.*name.tag;
        if (text.empty()) continue;
        put(list, name.riff);
        put(list, text.size() + 1, 4);
        put(list, text);
        put(list, 0, text.size() % 2 == 0 ? 2 : 1);
    }
    if (list.size() == 4) return;
    put(to, "LIST");
    put(to, list.size(), 4);
    to.insert(to.end(), list.begin(), list.end());
}

}  // namespace

index frame_bytes(Target const& target) {
    index const of_one = target.encoding == Encoding::pcm16   ? 2
                         : target.encoding == Encoding::pcm24 ? 3
                                                              : 4;
    return of_one * target.channels;
}

std::vector<std::byte> wav_header(Target const& target, std::uint64_t bytes) {
    auto const frame = static_cast<std::uint64_t>(frame_bytes(target));
    auto const channels = static_cast<std::uint64_t>(target.channels);
    auto const rate = static_cast<std::uint64_t>(target.rate);
    std::uint64_t const frames = bytes / frame;
    bool const floats = target.encoding == Encoding::float32;

    std::vector<std::byte> rest;  // behind the sizes that RF64 has
    put(rest, "fmt ");
    // Formats other than PCM say how much more follows, and how many frames there are.
    put(rest, floats ? 18 : 16, 4);
    put(rest, floats ? 3 : 1, 2);
    put(rest, channels, 2);
    put(rest, rate, 4);
    put(rest, std::min(most, rate * frame), 4);
    put(rest, frame, 2);
    put(rest, 8 * frame / channels, 2);
    if (floats) {
        put(rest, 0, 2);
        put(rest, "fact");
        put(rest, 4, 4);
        put(rest, std::min(most, frames), 4);
    }
    put_list(rest, target.tags);

    constexpr std::uint64_t sizes = 28;
    std::uint64_t const length = 12 + 8 + sizes + rest.size() + 8;
    std::uint64_t const whole = length + bytes + bytes % 2 - 8;
    bool const large = whole > most;
    std::vector<std::byte> out;
    put(out, large ? "RF64" : "RIFF");
    put(out, large ? most : whole, 4);
    put(out, large ? "WAVEds64" : "WAVEJUNK");
    put(out, sizes, 4);
    put(out, large ? whole : 0, 8);
    put(out, large ? bytes : 0, 8);
    put(out, large ? frames : 0, 8);
    put(out, 0, 4);
    out.insert(out.end(), rest.begin(), rest.end());
    put(out, "data");
    put(out, large ? most : bytes, 4);
    return out;
}

}  // namespace sluice::audio
