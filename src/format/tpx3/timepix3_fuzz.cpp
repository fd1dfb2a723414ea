// Fuzzes what Timepix3 readouts send: chunks one after the other, and every packet in them.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "format/tpx3/packets.h"
#include "sluice/result.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    using namespace sluice::tpx3;
    Times times;
    Bytes left = std::as_bytes(std::span(data, size));
    while (!left.empty()) {
        Found const found = find_chunk(left, size % 2 == 0);
        if (found.kind == Found::Kind::more) {
            expects(found.wanted > left.size());
            return 0;
        }
        expects(found.size > 0 && found.size <= left.size());
        expects(found.packets.size() <= found.size && found.packets.size() % packet_bytes == 0);
        for (std::size_t i = 0; i < found.packets.size(); i += packet_bytes) {
            std::uint64_t packet = 0;
            std::memcpy(&packet, found.packets.data() + i, packet_bytes);
            if (kind_of(packet) == PacketKind::hit) {
                Hit const hit = hit_of(packet);
                expects(hit.row < chip_side && hit.col < chip_side);
                expects(hit_of(hit_packet(static_cast<std::int64_t>(hit.clock), hit.row, hit.col))
                            .clock == hit.clock);
                times.hear(times.whole(hit.clock));
            } else if (kind_of(packet) == PacketKind::edge) {
                times.hear(times.whole(edge_of(packet).clock));
            }
        }
        left = left.subspan(found.size);
    }
    return 0;
}
