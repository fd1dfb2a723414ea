// What Timepix3 readouts send: chunks of packets.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "base/noise.h"
#include "sluice/result.h"

namespace sluice::tpx3 {
namespace {

using Kind = Found::Kind;

constexpr std::string_view mark = "TPX3";

// Of TDC 1 and 2, as bits 56 to 59 of a packet say them.
constexpr std::array<std::uint64_t, 4> edge_codes{0xf, 0xa, 0xe, 0xb};

std::string_view text_of(Bytes bytes) {
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

// Whether a chunk may begin here, of which maybe not all has come.
bool may_begin(std::string_view text) {
    return text.starts_with(mark) || mark.starts_with(text);
}

// Up to what may be a chunk.
Found noise(std::string_view text, std::size_t from, std::string why = {}) {
    return {.kind = Kind::noise,
            .size = noise_before(text, from, mark[0], may_begin),
            .wrong = std::move(why)};
}

}  // namespace

Found find_chunk(Bytes bytes, bool quiet) {
    std::string_view const text = text_of(bytes);
    if (!may_begin(text)) return noise(text, 1);
    if (text.size() < chunk_header_bytes) return {.kind = Kind::more, .wanted = chunk_header_bytes};
    auto const byte = [&](std::size_t i) { return std::to_integer<unsigned>(bytes[i]); };
    std::size_t const length = byte(6) | byte(7) << 8;
    if (length % packet_bytes != 0)
        return noise(text, mark.size(),
                     fmt::format("a chunk of {} bytes, which is no number of packets", length));
    std::size_t const size = chunk_header_bytes + length;
    if (text.size() < size || (text.size() == size && !quiet))
        return {.kind = Kind::more, .wanted = size + (text.size() == size)};
    if (text.size() > size && !may_begin(text.substr(size)))
        return noise(text, mark.size(),
                     fmt::format("a chunk of {} bytes, in which another one begins or after which "
                                 "none does",
                                 length));
    return {.kind = Kind::chunk,
            .size = size,
            .packets = bytes.subspan(chunk_header_bytes, length),
            .chip = static_cast<int>(byte(4))};
}

EdgePacket edge_of(std::uint64_t p) {
    EdgePacket out{.counter = static_cast<int>((p >> 44) & 0xfff)};
    auto const code = std::ranges::find(edge_codes, (p >> 56) & 0xf);
    if (code != edge_codes.end()) out.edge = static_cast<Edge>(code - edge_codes.begin());
    // Steps of 3.125 ns, and twelfths of them from 1 on.
    std::uint64_t const coarse = (p >> 9) & ((std::uint64_t{1} << 35) - 1);
    std::uint64_t const half = ((p >> 5) & 0xf) > 6;
    out.clock = (2 * coarse + half) & ((std::uint64_t{1} << clock_bits) - 1);
    return out;
}

std::uint64_t hit_packet(std::int64_t time, index row, index col, int tot) {
    auto const t = static_cast<std::uint64_t>(time), r = static_cast<std::uint64_t>(row),
               c = static_cast<std::uint64_t>(col);
    std::uint64_t const coarse = (t + 15) >> 4;
    std::uint64_t const pixel = (c & 1) << 2 | (r & 3);
    return std::uint64_t{0xb} << 60 | (c & 0xfe) << 52 | (r & 0xfc) << 45 | pixel << 44 |
           (coarse & 0x3fff) << 30 | static_cast<std::uint64_t>(tot & 0x3ff) << 20 |
           ((coarse << 4) - t) << 16 | (coarse >> 14 & 0xffff);
}

std::uint64_t edge_packet(std::int64_t time, Edge edge, int counter) {
    auto const t = static_cast<std::uint64_t>(time);
    std::uint64_t const coarse = t >> 1 & ((std::uint64_t{1} << 35) - 1);
    return std::uint64_t{6} << 60 | edge_codes.at(static_cast<std::size_t>(edge)) << 56 |
           static_cast<std::uint64_t>(counter & 0xfff) << 44 | coarse << 9 | (1 + 6 * (t & 1)) << 5;
}

std::string chunk_of(std::span<std::uint64_t const> packets, int chip) {
    std::size_t const length = packets.size() * packet_bytes;
    expects(length <= 0xffff);
    std::string out(mark);
    out += {static_cast<char>(chip), '\0', static_cast<char>(length & 0xff),
            static_cast<char>(length >> 8)};
    for (std::uint64_t const packet : packets)
        for (int bit = 0; bit < 64; bit += 8) out += static_cast<char>(packet >> bit & 0xff);
    return out;
}

Times::Heard Times::far(std::int64_t time) {
    constexpr std::int64_t turn = std::int64_t{1} << clock_bits;
    // What was first is compared on the circle, since nothing says on which side it lies.
    std::int64_t apart = suspect_ ? std::abs(time - *suspect_) : turn;
    if (!newest_) apart = std::min(apart, std::abs(turn - apart));
    bool const confirmed = suspect_ && apart <= ahead;
    if (confirmed) newest_ = newest_ ? std::max(time, *suspect_) : time;
    suspect_ = time;
    return confirmed ? Heard::confirms : Heard::maybe;
}

}  // namespace sluice::tpx3
