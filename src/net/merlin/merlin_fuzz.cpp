// Fuzzes what Merlin sends: messages one after the other, as far as they go.
// SPDX-License-Identifier: Apache-2.0
#include "net/merlin/messages.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    using namespace sluice::net::merlin;
    Bytes left = std::as_bytes(std::span(data, size));
    for (int depth = 0; !left.empty();) {
        Found const found = find_message(left, depth, size % 2 == 0);
        if (found.kind == Found::Kind::more) {
            expects(found.wanted > left.size());
            return 0;
        }
        expects(found.size > 0 && found.size <= left.size());
        expects(found.payload.size() <= found.size);
        if (found.kind == Found::Kind::hdr) {
            auto const hdr = mib::read_hdr(found.payload);
            expects(hdr.frames >= 0 && hdr.fields.size() < 100);
            depth = hdr.depth;
        }
        if (found.kind == Found::Kind::frame) {
            expects(found.layout.rows > 0 && found.layout.cols > 0);
            expects(found.header.header_bytes + found.layout.bytes == found.payload.size());
        }
        left = left.subspan(found.size);
    }
    return 0;
}
