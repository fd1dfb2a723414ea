// Fuzzes the reader of CBOR: skipping, printing and typed arrays agree on where an item ends.
// SPDX-License-Identifier: Apache-2.0
#include "net/cbor/diagnostic.h"
#include "net/cbor/typed_array.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    Bytes const message = std::as_bytes(std::span(data, size));
    cbor::Reader all(message);
    bool const skipped = all.skip().has_value();
    expects(all.at() <= size);
    auto const text = cbor::diagnostic(message.first(static_cast<std::size_t>(all.at())));
    expects(text.has_value() == skipped);
    std::vector<std::byte> room;
    cbor::Reader typed(message);
    if (auto const array = cbor::read_typed_array(typed, room)) {
        expects(array->bytes.size() <= size && array->elements() >= 0);
        expects(skipped && typed.at() == all.at());
    }
    return 0;
}
