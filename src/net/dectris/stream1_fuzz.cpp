// Fuzzes the messages of DECTRIS' Stream V1: two bytes of length before each part.
// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"
#include "net/dectris/parts.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    using namespace sluice::net::dectris;
    Bytes const all = std::as_bytes(std::span(data, size));
    std::vector<Bytes> parts;
    for (std::size_t at = 0; at + 2 <= size && parts.size() < most_parts;) {
        std::size_t const length =
            std::min<std::size_t>(load_be<std::uint16_t>(all.data() + at), size - at - 2);
        parts.push_back(all.subspan(at + 2, length));
        at += 2 + length;
    }
    auto const opened = open_parts(parts);
    if (!opened) return 0;
    if (opened->type == Type::start) {
        if (auto const header = read_header(parts, *opened)) {
            expects(header->start.images >= 0 && header->start.rows >= 0);
            for (auto const& [name, mask] : header->start.pixel_masks)
                expects(std::ssize(mask) == header->start.rows * header->start.cols);
        }
    } else if (opened->type == Type::image) {
        if (auto const image = read_image(parts, *opened)) {
            expects(image->rows > 0 && image->cols > 0 && image->bytes.size() <= size);
            static_cast<void>(packed_of(image->encoding));
        }
    }
    return 0;
}
