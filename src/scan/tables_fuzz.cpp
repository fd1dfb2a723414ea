// Fuzz target: any bytes as a file of tables, and as its head with the right digest.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scan/tables_file.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    Bytes const bytes(reinterpret_cast<std::byte const*>(data), size);
    if (auto const head = TablesFile::parse(bytes); !head) expects(!head.error().message.empty());
    auto const head = TablesHead::parse(bytes);
    if (!head) return 0;
    expects(head->frames > 0 && head->rows > 0 && head->cols > 0);
    // What was understood is packed, and understood again; booleans have one form then.
    auto const again = TablesHead::parse(head->packed());
    expects(again.has_value() && again->packed() == head->packed() && again->key == head->key);
    return 0;
}
