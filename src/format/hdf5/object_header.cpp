// Object headers versions 1 and 2, their continuations, and the layout message in them.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object_header.h"

#include <fmt/format.h>

#include <optional>

namespace sluice::hdf5 {
namespace {

constexpr unsigned layout_message = 8;
constexpr unsigned continuation_message = 16;
// Headers of real datasets have a handful of blocks of some hundred bytes.
constexpr std::size_t most_blocks = 4096;
constexpr std::uint64_t longest_block = std::uint64_t{1} << 26;

struct Block {
    std::uint64_t address;
    std::uint64_t size;
};

/// What one block of messages yields.
struct Found {
    std::optional<std::vector<std::byte>> layout = {};
    std::vector<Block> continuations = {};
};

struct HeaderStyle {
    int version = 1;
    bool creation_order = false;
};

void scan_messages(Bytes bytes, HeaderStyle style, Superblock const& sb, Found& found) {
    Cursor c(bytes);
    std::size_t const prefix = style.version == 1 ? 8 : (style.creation_order ? 6 : 4);
    while (c.rest().size() >= prefix) {
        unsigned const type = static_cast<unsigned>(c.number(style.version == 1 ? 2 : 1));
        std::uint64_t const size = c.number(2);
        c.take(style.version == 1 ? 4 : (style.creation_order ? 3 : 1));
        Bytes const body = c.take(size);
        if (!c.ok()) return;
        if (type == layout_message && !found.layout) found.layout.emplace(body.begin(), body.end());
        if (type == continuation_message) {
            Cursor b(body);
            std::uint64_t const address = b.number(sb.address_bytes);
            found.continuations.push_back({address, b.number(sb.length_bytes)});
        }
    }
}

Result<HeaderStyle> scan_first_block(ReadAt const& in, Superblock const& sb, std::uint64_t address,
                                     Found& found) {
    SLUICE_TRY(auto head, read_block(in, sb, address, 12));
    Cursor c(head);
    HeaderStyle style;
    std::uint64_t prefix = 16, size = 0;
    if (c.literal("OHDR")) {
        style.version = c.byte();
        unsigned const flags = c.byte();
        style.creation_order = (flags & 4) != 0;
        std::uint64_t const optional = ((flags & 32) ? 16u : 0u) + ((flags & 16) ? 4u : 0u);
        unsigned const width = 1u << (flags & 3);
        SLUICE_TRY(auto field, read_block(in, sb, address + 6 + optional, width));
        size = Cursor(field).number(width);
        prefix = 6 + optional + width;
    } else {
        c = Cursor(head);
        style.version = c.byte();
        c.take(7);
        size = c.number(4);
    }
    bool const known = style.version == 1 || style.version == 2;
    if (!known || size > longest_block)
        return Error{Code::unsupported,
                     fmt::format("object header version {} of {} bytes", style.version, size),
                     {},
                     address + sb.base};
    SLUICE_TRY(auto messages, read_block(in, sb, address + prefix, size));
    scan_messages(messages, style, sb, found);
    return style;
}

Status scan_continuation(ReadAt const& in, Superblock const& sb, Block block, HeaderStyle style,
                         Found& found) {
    if (block.size > longest_block)
        return Error{Code::corrupt, "a header continuation is absurdly long", {}, block.address};
    SLUICE_TRY(auto bytes, read_block(in, sb, block.address, block.size));
    Bytes messages = bytes;
    if (style.version == 2) {
        if (messages.size() < 8 || !Cursor(messages).literal("OCHK"))
            return Error{Code::corrupt, "a header continuation lacks its mark", {}, block.address};
        messages = messages.subspan(4, messages.size() - 8);
    }
    scan_messages(messages, style, sb, found);
    return {};
}

Error odd_layout(std::string what) {
    return {Code::unsupported, std::move(what)};
}

/// The fields of layout version 4 between the dimensions and the address.
Status parse_index(Cursor& c, Superblock const& sb, ChunkLayout& layout) {
    unsigned const type = c.byte();
    if (type < 1 || type > 5) return odd_layout(fmt::format("chunk index type {}", type));
    layout.type = static_cast<IndexType>(type);
    constexpr std::uint8_t single_filtered = 2;
    switch (layout.type) {
        case IndexType::single:
            if (layout.flags & single_filtered) {
                layout.single_bytes = c.number(sb.length_bytes);
                layout.single_mask = static_cast<std::uint32_t>(c.number(4));
            }
            break;
        case IndexType::fixed_array:
            c.take(1);
            break;
        case IndexType::extensible_array:
            c.take(5);
            break;
        case IndexType::btree2:
            c.take(6);
            break;
        default:
            break;
    }
    return {};
}

Result<ChunkLayout> parse_layout(Bytes bytes, Superblock const& sb) {
    Cursor c(bytes);
    ChunkLayout layout;
    unsigned const version = c.byte();
    unsigned const kind = c.byte();
    if ((version != 3 && version != 4) || kind != 2)
        return odd_layout(fmt::format("data layout version {}, class {}", version, kind));
    if (version == 4) layout.flags = c.byte();
    unsigned const rank = c.byte();
    if (rank < 2 || rank > 33) return odd_layout(fmt::format("chunks of {} dimensions", rank));
    if (version == 3) layout.address = c.number(sb.address_bytes);
    unsigned const width = version == 3 ? 4 : c.byte();
    if (width < 1 || width > 8) return odd_layout(fmt::format("{}-byte chunk sizes", width));
    for (unsigned d = 0; d < rank; ++d) layout.chunk.push_back(c.number(width));
    // The last one is the size of an element.
    layout.chunk.pop_back();
    if (version == 4) {
        SLUICE_CHECK(parse_index(c, sb, layout));
        layout.address = c.number(sb.address_bytes);
    }
    if (!c.ok()) return Error{Code::corrupt, "the data layout message is cut off"};
    return layout;
}

}  // namespace

Result<ChunkLayout> read_chunk_layout(ReadAt const& in, Superblock const& sb,
                                      std::uint64_t address) {
    Found found;
    SLUICE_TRY(HeaderStyle const style, scan_first_block(in, sb, address, found));
    for (std::size_t i = 0; i < found.continuations.size() && !found.layout; ++i) {
        if (i >= most_blocks)
            return Error{Code::corrupt, "the object header never ends", {}, address + sb.base};
        SLUICE_CHECK(scan_continuation(in, sb, found.continuations[i], style, found));
    }
    if (!found.layout)
        return Error{Code::corrupt, "the object header has no data layout", {}, address + sb.base};
    return parse_layout(*found.layout, sb);
}

}  // namespace sluice::hdf5
