// Shared messages: types that have a name, and messages that many objects have in common.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "format/hdf5/object/fractal_heap.h"
#include "format/hdf5/object/header.h"

namespace sluice::hdf5::object {
namespace {

/// The heap of shared messages of one type (specification 3.0, section IV.A.2.p and III.F).
Result<std::uint64_t> shared_heap(Source const& source, MessageType type, std::uint64_t address) {
    if (!source.defined(source.sb().extension))
        return source.corrupt("a message is shared, but the file has no shared messages", address);
    SLUICE_TRY(Header const extension, read_header(source, source.sb().extension));
    Message const* const m = extension.find(MessageType::shared_table);
    if (m == nullptr)
        return source.corrupt("a message is shared, but the file has no shared messages", address);
    Cursor c(m->body);
    bool const ok = c.byte() == 0;
    std::uint64_t const table = take_address(c, source), indexes = c.byte();
    if (!ok || !c.ok()) return source.corrupt("the table of shared messages is wrong", m->address);
    std::uint64_t const each = 14 + 2 * source.address_bytes();
    SLUICE_TRY(auto bytes, source.summed_block(table, 8 + indexes * each, "SMTB",
                                               "the table of shared messages"));
    Cursor t(bytes);
    t.take(4);
    for (std::uint64_t i = 0; i < indexes; ++i) {
        t.take(2);
        std::uint64_t const types = t.number(2);
        t.take(10);
        take_address(t, source);
        std::uint64_t const heap = take_address(t, source);
        if ((types >> static_cast<unsigned>(type) & 1) != 0) return heap;
    }
    return source.corrupt("a message is shared, but the file shares no messages of its kind",
                          address);
}

Result<std::vector<std::byte>> committed_body(Source const& source, MessageType type,
                                              std::uint64_t address) {
    SLUICE_TRY(Header const header, read_header(source, address));
    Message const* const m = header.find(type);
    // Only a named type is shared in this way, and it holds the type itself.
    if (m == nullptr || m->shared())
        return source.corrupt("an object lacks the message that others share with it", address);
    return std::vector(m->body.begin(), m->body.end());
}

}  // namespace

Result<std::vector<std::byte>> shared_body(Source const& source, MessageType type, Bytes reference,
                                           std::uint64_t address) {
    Cursor c(reference);
    unsigned const version = c.byte(), kind = c.byte();
    constexpr unsigned in_heap = 1;
    if (version < 1 || version > 3)
        return source.unsupported(
            fmt::format("a shared message has version {} (1 to 3 are read); rewrite the file "
                        "with h5repack",
                        version),
            address);
    if (version == 3 && kind == in_heap) {
        Bytes const id = c.take(8);
        if (!c.ok()) return source.corrupt("a shared message is cut off", address);
        SLUICE_TRY(std::uint64_t const heap, shared_heap(source, type, address));
        SLUICE_TRY(FractalHeap all, FractalHeap::open(source, heap));
        return all.object(id);
    }
    if (version == 1) {
        c.take(6);
        // The oldest files have a whole symbol table entry here, which begins with a name.
        if (reference.size() >= 24 + std::size_t{source.address_bytes()})
            c.take(source.length_bytes());
    }
    std::uint64_t const at = take_address(c, source);
    if (!c.ok()) return source.corrupt("a shared message is cut off", address);
    return committed_body(source, type, at);
}

Result<std::vector<std::byte>> body_of(Source const& source, Message const& m) {
    if (m.shared()) return shared_body(source, m.type, m.body, m.address);
    return std::vector(m.body.begin(), m.body.end());
}

}  // namespace sluice::hdf5::object
