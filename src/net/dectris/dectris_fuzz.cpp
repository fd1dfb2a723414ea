// Fuzzes the messages of DECTRIS' Stream V2.
// SPDX-License-Identifier: Apache-2.0
#include "net/dectris/messages.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    using namespace sluice::net::dectris;
    cbor::Reader reader(std::as_bytes(std::span(data, size)));
    auto const opened = open_message(reader);
    if (!opened) return 0;
    std::vector<std::byte> room;
    if (opened->type == Type::start) {
        if (auto const start = read_start(reader, opened->items)) {
            expects(start->images > 0 && start->rows > 0 && start->cols > 0);
            for (auto const& [name, mask] : start->pixel_masks)
                expects(std::ssize(mask) == start->rows * start->cols);
        }
    } else if (opened->type == Type::image) {
        if (auto const image = read_image(reader, opened->items, "threshold_1", room))
            expects(image->data.bytes.size() <= size);
    } else if (opened->type == Type::end) {
        static_cast<void>(read_end(reader, opened->items));
    }
    expects(reader.at() <= size);
    return 0;
}
