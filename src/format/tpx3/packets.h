// What Timepix3 readouts send: chunks of packets of 64 bits, each a hit, an edge or a message.
// Sources: the TPX3 raw format as ASI's SERVAL manual has it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sluice/tpx3_options.h"
#include "sluice/view.h"

namespace sluice::tpx3 {

constexpr index chip_side = 256;
constexpr std::size_t packet_bytes = 8, chunk_header_bytes = 8;

/// What begins the bytes that came.
struct Found {
    enum class Kind : std::uint8_t {
        more,   ///< a chunk that is not complete
        chunk,  ///< "TPX3", the chip, the mode, the number of bytes, and packets
        noise,  ///< no chunk
    };
    Kind kind = Kind::more;
    std::size_t size = 0;    ///< bytes that it takes
    std::size_t wanted = 0;  ///< of `more`: bytes that are needed in all
    Bytes packets = {};      ///< of a chunk
    int chip = 0;
    std::string wrong = {};  ///< of noise: why, if it looked like a chunk
};
/// A chunk counts when the next one begins after it, or when it is `quiet`: one that was cut off,
/// and filled up with the bytes of the next, is none.
Found find_chunk(Bytes bytes, bool quiet);

/// Times are whole steps of 25/16 ns, as those of hits are.
constexpr double steps_per_s = 640e6;

enum class PacketKind : std::uint8_t {
    hit,
    edge,      ///< of a signal: TDC
    time,      ///< the time of the readout
    control,   ///< what happened to the readout
    timeless,  ///< pixels without times, of integrated ToT and of frames
    other,
};
inline PacketKind kind_of(std::uint64_t packet) {
    switch (packet >> 60) {
        case 0xb:
            return PacketKind::hit;
        case 0xa:
            return PacketKind::timeless;
        case 0x6:
            return PacketKind::edge;
        case 0x4:
            return PacketKind::time;
        case 0x7:
            return PacketKind::control;
        default:
            return PacketKind::other;
    }
}

/// Electrons in one pixel.
struct Hit {
    std::uint64_t clock = 0;  ///< without what is above `clock_bits`
    int tot = 0;              ///< time over threshold, in 25 ns
    std::uint16_t row = 0, col = 0;
};
/// Hits tell so many bits of a time: 26.8 s.
constexpr int clock_bits = 34;

inline Hit hit_of(std::uint64_t p) {
    auto const pixel = (p >> 44) & 7;
    std::uint64_t const coarse = (p & 0xffff) << 14 | ((p >> 30) & 0x3fff);
    return {.clock = ((coarse << 4) - ((p >> 16) & 0xf)) & ((std::uint64_t{1} << clock_bits) - 1),
            .tot = static_cast<int>((p >> 20) & 0x3ff),
            .row = static_cast<std::uint16_t>(((p >> 45) & 0xfc) + (pixel & 3)),
            .col = static_cast<std::uint16_t>(((p >> 52) & 0xfe) + (pixel >> 2))};
}

using Edge = TdcEdge;
struct EdgePacket {
    std::optional<Edge> edge = {};  ///< empty: none that is known
    int counter = 0;                ///< 12 bits
    std::uint64_t clock = 0;        ///< as that of hits; the packet has two bits more
};
EdgePacket edge_of(std::uint64_t packet);

/// Of simulated detectors and tests.
std::uint64_t hit_packet(std::int64_t time, index row, index col, int tot = 25);
std::uint64_t edge_packet(std::int64_t time, Edge edge, int counter);
std::string chunk_of(std::span<std::uint64_t const> packets, int chip = 0);

/// Whole times out of those that begin anew every 26.8 s.
class Times {
  public:
    /// The time that fits to the newest one: at most `behind` before it, else after it.
    std::int64_t whole(std::uint64_t clock) const {
        constexpr std::uint64_t mask = (std::uint64_t{1} << clock_bits) - 1;
        if (!newest_) return static_cast<std::int64_t>(clock & mask);
        auto const from = static_cast<std::uint64_t>(*newest_ - behind);
        return *newest_ - behind + static_cast<std::int64_t>((clock - from) & mask);
    }
    enum class Heard : std::uint8_t {
        believed,
        confirms,  ///< believed, and so is the one before
        maybe,     ///< far ahead, or the very first: it may be damaged, and the next one tells
    };
    Heard hear(std::int64_t time) {
        if (newest_ && time <= *newest_ + ahead) {
            if (time > *newest_) newest_ = time;
            suspect_.reset();
            return Heard::believed;
        }
        return far(time);
    }
    std::optional<std::int64_t> newest() const { return newest_; }
    /// Hits come so late at most, or there is no telling them from early ones: 1.7 s.
    static constexpr std::int64_t behind = std::int64_t{1} << 30;
    static constexpr std::int64_t ahead = std::int64_t{1} << 29;

  private:
    Heard far(std::int64_t time);
    std::optional<std::int64_t> newest_ = {}, suspect_ = {};
};

}  // namespace sluice::tpx3
