// Pieces of a page: unpacked, predictors undone, and put where they belong.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "codec/deflate/deflate.h"
#include "codec/lzw/lzw.h"
#include "codec/zstd/zstd.h"
#include "format/tiff/page.h"

namespace sluice::tiff {
namespace {

// Runs of bytes: n + 1 as they are, or one that is repeated 1 - n times.
Status unpack_bits(Bytes packed, std::span<std::byte> out) {
    std::size_t from = 0, to = 0;
    while (to < out.size()) {
        if (from >= packed.size()) return Error{Code::corrupt, "PackBits that end early"};
        int const byte = std::to_integer<int>(packed[from++]), n = byte < 128 ? byte : byte - 256;
        if (n == -128) continue;
        std::size_t const count = static_cast<std::size_t>(n < 0 ? 1 - n : n + 1);
        std::size_t const taken = n < 0 ? 1 : count;
        if (count > out.size() - to || taken > packed.size() - from)
            return Error{Code::corrupt, "PackBits that lead out of their piece"};
        if (n < 0)
            std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(to), count, packed[from]);
        else
            std::copy_n(packed.begin() + static_cast<std::ptrdiff_t>(from), count,
                        out.begin() + static_cast<std::ptrdiff_t>(to));
        from += taken, to += count;
    }
    return {};
}

Status unpack(Compression how, Bytes packed, std::span<std::byte> out) {
    switch (how) {
        case Compression::none:
            if (packed.size() < out.size()) return Error{Code::corrupt, "a piece is too short"};
            std::copy_n(packed.begin(), out.size(), out.begin());
            return {};
        case Compression::lzw:
            return codec::lzw_decompress(packed, out);
        case Compression::packbits:
            return unpack_bits(packed, out);
        case Compression::zstd:
            return codec::zstd_decompress(packed, out);
        case Compression::deflate:
            break;
    }
    SLUICE_TRY(auto const n, codec::inflate_any(packed, out));
    if (n == out.size()) return {};
    return Error{Code::corrupt, fmt::format("a piece of {} bytes instead of {}", n, out.size())};
}

template <class T>
void add_up(std::span<std::byte> row) {
    T sum = 0;
    for (std::size_t i = 0; i + sizeof(T) <= row.size(); i += sizeof(T)) {
        T v;
        std::memcpy(&v, &row[i], sizeof v);
        sum = static_cast<T>(sum + v);
        std::memcpy(&row[i], &sum, sizeof sum);
    }
}

// The first bytes of all values come first, and each byte is a difference.
void join_bytes(std::span<std::byte> row, std::size_t each, std::vector<std::byte>& room) {
    add_up<std::uint8_t>(row);
    room.assign(row.begin(), row.end());
    std::size_t const n = row.size() / each;
    for (std::size_t b = 0; b < each; ++b)
        for (std::size_t i = 0; i < n; ++i) row[i * each + each - 1 - b] = room[b * n + i];
}

void swap_bytes(std::span<std::byte> values, std::size_t each) {
    for (std::size_t i = 0; i + each <= values.size(); i += each)
        std::ranges::reverse(values.subspan(i, each));
}

// Little-endian values of a piece, row by row.
void undo_predictor(Page const& p, std::span<std::byte> values, std::vector<std::byte>& row_room) {
    auto const each = static_cast<std::size_t>(p.stored.bytes);
    std::size_t const row_bytes = static_cast<std::size_t>(p.piece_cols) * each;
    // Bytes that were split are not in the file's order any more.
    if (p.stored.big_endian && p.predictor != Predictor::bytes) swap_bytes(values, each);
    if (p.predictor == Predictor::none) return;
    for (std::size_t at = 0; at < values.size(); at += row_bytes) {
        auto const row = values.subspan(at, row_bytes);
        if (p.predictor == Predictor::bytes)
            join_bytes(row, each, row_room);
        else if (each == 1)
            add_up<std::uint8_t>(row);
        else if (each == 2)
            add_up<std::uint16_t>(row);
        else if (each == 4)
            add_up<std::uint32_t>(row);
        else
            add_up<std::uint64_t>(row);
    }
}

/// Memory for one piece after the other: as it is in the file, its values, and a row of them.
struct Room {
    std::vector<std::byte> packed, values, row;
};

// Fills room.values, whose size is the piece's.
Status decode_piece(Source const& file, Page const& p, Piece const& piece, Room& room) {
    auto const wrong = [&](std::string what) {
        return Error{Code::corrupt, std::move(what) + "; write the file again", file.name(),
                     piece.at};
    };
    std::uint64_t const size = p.compression == Compression::none
                                   ? std::min<std::uint64_t>(piece.bytes, room.values.size())
                                   : piece.bytes;
    // No codec here makes a piece longer than that.
    if (size > 2 * room.values.size() + 65536)
        return wrong(
            fmt::format("a piece of {} bytes that has {} when unpacked", size, room.values.size()));
    room.packed.resize(size);
    SLUICE_CHECK(file.read(piece.at, room.packed));
    if (Status const s = unpack(p.compression, room.packed, room.values); !s)
        return wrong(s.error().message);
    undo_predictor(p, room.values, room.row);
    return {};
}

}  // namespace

Status decode_page(Source const& file, Page const& p, std::span<std::byte> out) {
    auto const each = static_cast<std::size_t>(p.stored.bytes);
    std::size_t const page_row = static_cast<std::size_t>(p.cols) * each,
                      piece_row = static_cast<std::size_t>(p.piece_cols) * each;
    expects(out.size() == p.frame_bytes());
    Room room;
    for (std::size_t i = 0; i < p.pieces.size(); ++i) {
        index const top = static_cast<index>(i) / p.across() * p.piece_rows;
        index const left = static_cast<index>(i) % p.across() * p.piece_cols;
        index const rows = std::min(p.piece_rows, p.rows - top);
        // Strips end with the page, and tiles do not.
        room.values.resize(static_cast<std::size_t>(p.tiled ? p.piece_rows : rows) * piece_row);
        SLUICE_CHECK(decode_piece(file, p, p.pieces[i], room));
        std::size_t const taken =
            static_cast<std::size_t>(std::min(p.piece_cols, p.cols - left)) * each;
        for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
            std::memcpy(&out[(static_cast<std::size_t>(top) + r) * page_row +
                             static_cast<std::size_t>(left) * each],
                        &room.values[r * piece_row], taken);
    }
    return {};
}

}  // namespace sluice::tiff
