// The messages on the data port of Merlin.
// SPDX-License-Identifier: Apache-2.0
#include "net/merlin/messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/noise.h"

namespace sluice::net::merlin {
namespace {

using Kind = Found::Kind;

constexpr std::string_view mark = "MPX,";

std::string_view text_of(Bytes bytes) {
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Whether a prefix may begin here, of which maybe not all has come.
bool may_begin(std::string_view text) {
    text = text.substr(0, prefix_bytes);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i < mark.size() ? text[i] != mark[i] : i + 1 < prefix_bytes && !is_digit(text[i]))
            return false;
        if (i + 1 == prefix_bytes && text[i] != ',') return false;
    }
    return true;
}

// From `from` on up to what may be a prefix.
Found noise(std::string_view text, std::size_t from, std::string why = {}) {
    return {.kind = Kind::noise,
            .size = noise_before(text, from, mark[0], may_begin),
            .wrong = std::move(why)};
}

Found more(std::size_t wanted) {
    return {.kind = Kind::more, .wanted = wanted};
}

// A frame says its own length.
Found frame(Bytes bytes, std::size_t length, int depth, bool quiet) {
    std::string_view const text = text_of(bytes);
    Bytes const left = bytes.subspan(prefix_bytes);
    auto const say = [&](std::string why) { return noise(text, prefix_bytes, std::move(why)); };
    if (left.size() < mib::header_start_bytes && length > left.size())
        return more(prefix_bytes + mib::header_start_bytes);
    auto const header_bytes = mib::header_bytes_of(left);
    if (!header_bytes || *header_bytes >= length)
        return say(
            fmt::format("a message of {} bytes with a header of a frame that is none", length));
    if (left.size() < *header_bytes) return more(prefix_bytes + *header_bytes);
    auto const header = mib::read_frame_header(left);
    if (!header) return say(header.error().message);
    auto const layout = mib::layout_of(*header, length - *header_bytes, depth);
    if (!layout) return say(layout.error().message);
    if (*header_bytes + layout->bytes != length)
        return say(fmt::format("a message of {} bytes, whose frame {} of {}x{} pixels ({}) has {}",
                               length, header->sequence, layout->rows, layout->cols, header->type,
                               *header_bytes + layout->bytes));
    if (left.size() < length || (left.size() == length && !quiet))
        return more(prefix_bytes + length + (left.size() == length));
    if (!may_begin(text.substr(prefix_bytes + length)))
        return say(fmt::format("frame {}, in which another message begins or after which none does",
                               header->sequence));
    return {.kind = Kind::frame,
            .size = prefix_bytes + length,
            .payload = left.first(length),
            .header = *header,
            .layout = *layout};
}

}  // namespace

Found find_message(Bytes bytes, int depth, bool quiet) {
    std::string_view const text = text_of(bytes);
    if (!may_begin(text)) return noise(text, 1);
    if (text.size() < prefix_bytes) return more(prefix_bytes);
    std::uint64_t length = 0;
    for (char const c : text.substr(mark.size(), 10))
        length = 10 * length + static_cast<std::uint64_t>(c - '0');
    if (length < 5) return noise(text, prefix_bytes, "a message without content");
    --length;  // of the comma
    if (text.size() < prefix_bytes + 4) return more(prefix_bytes + 4);
    std::string_view const begin = text.substr(prefix_bytes, 4);
    if (begin == "MQ1,") return frame(bytes, length, depth, quiet);
    if (length > mib::most_hdr_bytes)
        return noise(text, prefix_bytes,
                     fmt::format("a message of {} bytes that is no frame", length));
    if (text.size() < prefix_bytes + length) return more(prefix_bytes + length);
    return {.kind = begin == "HDR," ? Kind::hdr : Kind::other,
            .size = prefix_bytes + length,
            .payload = bytes.subspan(prefix_bytes, length)};
}

std::string prefix_of(std::size_t payload) {
    return fmt::format("MPX,{:010},", payload + 1);
}

}  // namespace sluice::net::merlin
