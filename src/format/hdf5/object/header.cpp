// Object headers (specification 3.0, section IV.A).
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/header.h"

#include <fmt/format.h>

#include <set>

namespace sluice::hdf5::object {
namespace {

// What most headers fit in, so that one read suffices.
constexpr std::uint64_t first_read = 1024;
// Headers of real objects have a handful of blocks of some hundred bytes.
constexpr std::size_t most_blocks = 4096;
constexpr std::size_t most_messages = 1 << 17;
constexpr auto last_known = static_cast<MessageType>(24);
constexpr unsigned must_be_known = 0x80;

struct Block {
    std::uint64_t address = 0, size = 0;
};

class HeaderReader {
  public:
    HeaderReader(Source const& source, std::uint64_t address) : source_(source), start_(address) {}

    Status read(std::vector<std::vector<std::byte>>& blocks, std::vector<Message>& messages) {
        SLUICE_TRY(auto first, source_.block_up_to(start_, first_read));
        SLUICE_CHECK(Cursor(first).literal("OHDR") ? first_new(std::move(first), blocks, messages)
                                                   : first_old(std::move(first), blocks, messages));
        std::set<std::uint64_t> seen{start_};
        for (std::size_t i = 0; i < next_.size(); ++i) {
            Block const b = next_[i];
            if (i >= most_blocks || !seen.insert(b.address).second)
                return source_.corrupt("an object header runs in a circle", b.address);
            SLUICE_CHECK(continuation(b, blocks, messages));
        }
        return {};
    }

  private:
    Error cut(std::uint64_t address) const {
        return source_.corrupt("an object header is cut off", address);
    }

    /// `bytes` up to `size`, read again if the first read was too short.
    Result<std::vector<std::byte>> whole(std::vector<std::byte> bytes, std::uint64_t size) {
        if (size <= bytes.size()) {
            bytes.resize(static_cast<std::size_t>(size));
            return bytes;
        }
        return source_.block(start_, size);
    }

    Status first_old(std::vector<std::byte> first, std::vector<std::vector<std::byte>>& blocks,
                     std::vector<Message>& messages) {
        Cursor c(first);
        unsigned const version = c.byte();
        c.take(7);
        std::uint64_t const size = c.number(4);
        if (!c.ok()) return cut(start_);
        if (version != 1) return source_.corrupt("there is no object header", start_);
        constexpr std::uint64_t prefix = 16;
        SLUICE_TRY(auto bytes, whole(std::move(first), prefix + size));
        blocks.push_back(std::move(bytes));
        return scan(Bytes(blocks.back()).subspan(prefix), start_ + prefix, messages);
    }

    Status first_new(std::vector<std::byte> first, std::vector<std::vector<std::byte>>& blocks,
                     std::vector<Message>& messages) {
        Cursor c(first);
        c.take(4);
        unsigned const version = c.byte(), flags = c.byte();
        if (c.ok() && version != 2)
            return source_.unsupported(
                fmt::format("an object header has version {} (1 and 2 are read: it is damaged or "
                            "of a newer HDF5); rewrite the file with h5repack --high=v110",
                            version),
                start_);
        version_ = 2;
        creation_order_ = (flags & 4) != 0;
        c.take(((flags & 32) != 0 ? 16u : 0u) + ((flags & 16) != 0 ? 4u : 0u));
        std::uint64_t const size = c.number(1u << (flags & 3));
        if (!c.ok()) return cut(start_);
        std::uint64_t const prefix = first.size() - c.rest().size();
        if (size > source_.bytes().size()) return cut(start_);
        SLUICE_TRY(auto bytes, whole(std::move(first), prefix + size + 4));
        if (!source_.sum_holds(bytes))
            return source_.corrupt("an object header does not have its checksum", start_);
        blocks.push_back(std::move(bytes));
        return scan(Bytes(blocks.back()).subspan(prefix, size), start_ + prefix, messages);
    }

    Status continuation(Block b, std::vector<std::vector<std::byte>>& blocks,
                        std::vector<Message>& messages) {
        if (version_ == 1) {
            SLUICE_TRY(auto bytes, source_.block(b.address, b.size));
            blocks.push_back(std::move(bytes));
            return scan(blocks.back(), b.address, messages);
        }
        if (b.size < 8) return cut(b.address);
        SLUICE_TRY(auto bytes, source_.summed_block(b.address, b.size, "OCHK",
                                                    "the continuation of an object header"));
        blocks.push_back(std::move(bytes));
        return scan(Bytes(blocks.back()).subspan(4, b.size - 8), b.address + 4, messages);
    }

    Status scan(Bytes bytes, std::uint64_t address, std::vector<Message>& messages) {
        Cursor c(bytes);
        std::size_t const prefix = version_ == 1 ? 8 : creation_order_ ? 6 : 4;
        // Shorter rests are a gap.
        while (c.rest().size() >= prefix) {
            auto const type = static_cast<MessageType>(c.byte());
            bool const known = version_ == 2 || c.byte() == 0;
            std::uint64_t const size = c.number(2);
            Message m{known ? type : MessageType::nil, c.byte(), 0, {}};
            c.take(prefix - (version_ == 1 ? 5 : 4));
            m.address = address + bytes.size() - c.rest().size();
            m.body = c.take(size);
            if (!c.ok())
                return source_.corrupt("a message of an object header is longer than it",
                                       m.address);
            if (m.type == MessageType::continuation) SLUICE_CHECK(add_continuation(m));
            if (m.type > last_known && (m.flags & must_be_known) != 0)
                return source_.unsupported(
                    fmt::format("an object header has a message of type {}, without which it must "
                                "not be read; rewrite the file with h5repack --high=v110",
                                static_cast<unsigned>(m.type)),
                    m.address);
            if (m.type == MessageType::nil || m.type == MessageType::continuation) continue;
            if (messages.size() >= most_messages)
                return source_.corrupt("an object header has too many messages", m.address);
            messages.push_back(m);
        }
        return {};
    }

    Status add_continuation(Message const& m) {
        Cursor c(m.body);
        std::uint64_t const address = take_address(c, source_), size = take_length(c, source_);
        if (!c.ok() || size < 8) return cut(m.address);
        next_.push_back({address, size});
        return {};
    }

    Source const& source_;
    std::uint64_t start_;
    int version_ = 1;
    bool creation_order_ = false;
    std::vector<Block> next_;
};

}  // namespace

Message const* Header::find(MessageType type) const {
    for (Message const& m : messages_)
        if (m.type == type) return &m;
    return nullptr;
}

Result<Header> read_header(Source const& source, std::uint64_t address) {
    Header h;
    SLUICE_CHECK(HeaderReader(source, address).read(h.blocks_, h.messages_));
    return h;
}

}  // namespace sluice::hdf5::object
