// One entry of the directory: schema DV, and what is said of other schemas.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/czi/layout.h"

namespace sluice::czi {
namespace {

struct Dimension20 {
    char letter;
    std::int32_t start, size, stored;
};

Dimension20 parse_dimension(std::byte const* p) {
    char const first = static_cast<char>(p[0]);
    char const letter = first >= 'a' && first <= 'z' ? static_cast<char>(first - 32) : first;
    auto const size = load_le<std::int32_t>(p + 8);
    auto const stored = load_le<std::int32_t>(p + 16);
    // 0 means "as the logical size" (czifile).
    return {letter, load_le<std::int32_t>(p + 4), size, stored == 0 ? size : stored};
}

// What is wrong with a dimension, or nothing.
std::string apply(Dimension20 const& d, Entry& e) {
    if (d.size <= 0 || d.stored <= 0)
        return fmt::format("dimension {} has the sizes {} and {} (not positive)", d.letter, d.size,
                           d.stored);
    switch (d.letter) {
        case 'X':
            e.rect.x = d.start;
            e.rect.width = d.size;
            e.stored_width = d.stored;
            return {};
        case 'Y':
            e.rect.y = d.start;
            e.rect.height = d.size;
            e.stored_height = d.stored;
            return {};
        case 'M':
            // Pyramid tiles may span several M; which does not matter.
            e.m = d.start;
            return {};
        case 'S':
            e.scene = d.start;
            return {};
        default:
            break;
    }
    // No writer has been seen that stores fewer planes than a tile stands for.
    if (d.size != d.stored)
        return fmt::format("dimension '{}' has the sizes {} and {} (only X and Y can be reduced)",
                           d.letter >= ' ' && d.letter <= '~' ? d.letter : '?', d.size, d.stored);
    std::size_t const at = dimension_letters.find(d.letter);
    if (at == std::string_view::npos) {
        if (d.stored == 1) return {};
        return fmt::format("dimension '{}' of {} planes is not known",
                           d.letter >= ' ' && d.letter <= '~' ? d.letter : '?', d.stored);
    }
    if (d.start > INT_MAX - d.stored)
        return fmt::format("dimension {} reaches beyond the largest index", d.letter);
    e.start[at] = d.start;
    e.size[at] = d.stored;
    return {};
}

}  // namespace

Result<std::size_t> parse_entry(Bytes bytes, std::uint64_t offset, Source const& source,
                                Entry& out) {
    out = {};
    out.entry_offset = offset;
    if (bytes.size() < entry_head)
        return damaged(source, offset, "the directory ends inside of an entry; try --recover");
    char const a = static_cast<char>(bytes[0]), b = static_cast<char>(bytes[1]);
    if (a == 'D' && b == 'E')
        return Error{Code::unsupported,
                     "this tile is described by schema DE (from before 2012, which no reader "
                     "knows); open the file with ZEN and save it again",
                     source.name(), offset};
    if (a != 'D' || b != 'V')
        return damaged(source, offset, "no entry of schema DV here; try --recover");
    std::byte const* const p = bytes.data();
    out.pixel_type = static_cast<PixelType>(load_le<std::int32_t>(p + 2));
    auto const position = load_le<std::int64_t>(p + 6);
    out.offset = static_cast<std::uint64_t>(position);
    out.file_part = load_le<std::int32_t>(p + 14);
    out.compression = static_cast<Compression>(load_le<std::int32_t>(p + 18));
    out.pyramid_type = static_cast<std::uint8_t>(p[22]);
    auto const dimensions = load_le<std::int32_t>(p + 28);
    if (dimensions < 2 || dimensions > max_dimensions)
        return damaged(source, offset + 28,
                       fmt::format("a tile of {} dimensions (2 to {} are possible); try --recover",
                                   dimensions, max_dimensions));
    std::size_t const length = entry_head + entry_dimension * static_cast<std::size_t>(dimensions);
    if (bytes.size() < length)
        return damaged(source, offset, "the directory ends inside of an entry; try --recover");
    std::string seen;
    for (std::int32_t i = 0; i < dimensions; ++i) {
        std::size_t const at = entry_head + entry_dimension * static_cast<std::size_t>(i);
        Dimension20 const d = parse_dimension(p + at);
        std::string problem = apply(d, out);
        if (problem.empty() && seen.find(d.letter) != std::string::npos)
            problem = fmt::format("dimension {} is there twice", d.letter);
        if (!problem.empty())
            return damaged(source, offset + at, problem + "; the entry is damaged, try --recover");
        if (seen.size() + 1 < out.order.size()) out.order[seen.size()] = d.letter;
        seen += d.letter;
    }
    if (seen.find('X') == std::string::npos || seen.find('Y') == std::string::npos)
        return damaged(source, offset, "a tile without the dimensions X and Y; try --recover");
    return length;
}

}  // namespace sluice::czi
