// The bytes of CZI structures, little-endian and packed.
// SPDX-License-Identifier: Apache-2.0
#include "czi_writer/layout.h"

#include <algorithm>
#include <bit>

static_assert(std::endian::native == std::endian::little);

namespace sluice::test {
namespace {

struct Dimension {
    char letter = 0;
    std::int32_t start = 0, size = 1, stored = 1;
};

/// The dimension of a letter as the tile has it; letter 0 where the tile leaves it out.
Dimension dimension_of(Tile const& tile, char letter) {
    auto const narrow = [](index v) { return static_cast<std::int32_t>(v); };
    if (letter == 'X')
        return {letter, narrow(tile.rect.x), narrow(tile.rect.width), narrow(tile.width())};
    if (letter == 'Y')
        return {letter, narrow(tile.rect.y), narrow(tile.rect.height), narrow(tile.height())};
    if (letter == 'S' || letter == 'M') {
        std::int32_t const number = letter == 'S' ? tile.scene : tile.m;
        return {number == slide::none ? '\0' : letter, number, 1, 1};
    }
    std::size_t const d = slide::dimension_letters.find(letter);
    if (d == std::string_view::npos) return {letter, 0, 1, 1};
    return {letter, tile.at[d], tile.planes[d], tile.planes[d]};
}

}  // namespace

std::size_t entry_bytes(Tile const& tile) {
    std::size_t n = 0;
    for (char const letter : tile.dimensions) n += dimension_of(tile, letter).letter != 0;
    return 32 + 20 * n;
}

Block entry_of(Tile const& tile, std::uint64_t position, Habits const& habits) {
    Block b(32);
    b.put(0, std::string_view("DV"));
    b.put(2, tile.pixel_type);
    b.put(6, position);
    b.put(14, tile.file_part);
    b.put(18, tile.compression);
    b.put(22, tile.pyramid_type);
    std::int32_t count = 0;
    for (char const letter : tile.dimensions) {
        Dimension const d = dimension_of(tile, letter);
        if (d.letter == 0) continue;
        std::size_t const at = b.size();
        b.put(at, std::array<char, 4>{d.letter});
        b.put(at + 4, d.start);
        b.put(at + 8, d.size);
        b.put(at + 12, static_cast<float>(d.start));
        b.put(at + 16, habits.stored_size_zero && d.stored == d.size ? 0 : d.stored);
        ++count;
    }
    b.put(28, count);
    return b;
}

std::vector<std::byte> segment(std::string_view id, Bytes content, Habits const& habits) {
    std::size_t const allocated = (content.size() + 31) / 32 * 32;
    Block b(segment_head + allocated);
    b.put(0, id);
    b.put(16, std::uint64_t{allocated});
    b.put(24, std::uint64_t{habits.used_size_zero ? 0 : content.size()});
    b.put(segment_head, content);
    return b.bytes();
}

Block sub_block(Tile const& tile, Bytes data, std::uint64_t position, Habits const& habits) {
    Block const entry = entry_of(tile, position, habits);
    Block b(std::max<std::size_t>(256, 16 + entry.size()));
    b.put(0, static_cast<std::int32_t>(tile.metadata.size()));
    b.put(4, static_cast<std::int32_t>(tile.attachment.size()));
    b.put(8, std::uint64_t{data.size()});
    b.put(16, Bytes(entry.bytes()));
    b.put(b.size(), std::string_view(tile.metadata));
    b.append(data);
    b.append(tile.attachment);
    return b;
}

Block attachment_entry(Attached const& attached, std::uint64_t position, std::int32_t number) {
    Block b(128);
    b.put(0, std::string_view("A1"));
    b.put(12, position);
    b.put(24, number + 1);  // the beginning of its GUID
    b.put(40, std::string_view(attached.content_type).substr(0, 8));
    b.put(48, std::string_view(attached.name).substr(0, 80));
    return b;
}

}  // namespace sluice::test
