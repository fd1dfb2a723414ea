// From the entries of a page to what it is. What is not read is refused by its name.
// SPDX-License-Identifier: Apache-2.0
#include "format/tiff/page.h"

#include <fmt/format.h>

#include "format/raw/flat_scan.h"

namespace sluice::tiff {
namespace {

constexpr std::string_view save_again =
    "; save the stack as plain or deflated TIFF of whole or real numbers";

Error unsupported(Directory const& d, std::string what) {
    Error e = d.wrong("");
    return {Code::unsupported, std::move(what) + std::string(save_again), e.file, e.at};
}

Result<Compression> compression_of(Directory const& d) {
    SLUICE_TRY(auto const code, d.number(Tag::compression, 1));
    switch (code) {
        case 1:
            return Compression::none;
        case 5:
            return Compression::lzw;
        case 8:
        case 32946:
            return Compression::deflate;
        case 32773:
            return Compression::packbits;
        case 50000:
            return Compression::zstd;
        default:
            return unsupported(
                d, fmt::format("pages of compression {} (none, LZW, deflate, PackBits and zstd are "
                               "read)",
                               code));
    }
}

Result<StoredType> type_of(Directory const& d, bool big_endian) {
    using Kind = StoredType::Kind;
    SLUICE_TRY(auto const bits, d.number(Tag::bits, 1));
    SLUICE_TRY(auto const format, d.number(Tag::sample_format, 1));
    bool const whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    bool const floating = format == 3;
    if (!whole || format < 1 || format > 3 || (floating && bits == 8))
        return unsupported(d, fmt::format("values of {} bits in format {}", bits, format));
    Kind const kind = floating      ? Kind::floating
                      : format == 2 ? Kind::signed_int
                                    : Kind::unsigned_int;
    return StoredType{kind, static_cast<int>(bits / 8), big_endian && bits > 8};
}

Result<Predictor> predictor_of(Directory const& d, Page const& p) {
    if (p.compression == Compression::none || p.compression == Compression::packbits)
        return Predictor::none;
    SLUICE_TRY(auto const code, d.number(Tag::predictor, 1));
    if (code < 1 || code > 3 || (code == 3 && p.stored.kind != StoredType::Kind::floating))
        return unsupported(d, fmt::format("values of predictor {}", code));
    return static_cast<Predictor>(code - 1);
}

Status check_colours(Directory const& d) {
    SLUICE_TRY(auto const samples, d.number(Tag::samples, 1));
    SLUICE_TRY(auto const photometric, d.number(Tag::photometric, 1));
    if (samples == 1 && photometric <= 1) return {};
    return Error{Code::unsupported,
                 fmt::format("is a picture in colours ({} of photometry {}), and no frames of a "
                             "detector; slides are read as CZI or OME-Zarr",
                             samples, photometric),
                 d.wrong("").file, d.at()};
}

Result<index> side_of(Directory const& d, Tag tag, std::uint64_t usual) {
    SLUICE_TRY(auto const n, d.number(tag, usual));
    if (n < 1 || n > 1 << 30) return d.wrong(fmt::format("a side of {} pixels", n));
    return static_cast<index>(n);
}

Status find_sides(Directory const& d, Page& p) {
    p.piece_rows = p.rows, p.piece_cols = p.cols;
    if (!p.tiled) {
        SLUICE_TRY(auto const rows, d.number(Tag::rows_per_strip, 0));
        if (rows > 0 && rows < static_cast<std::uint64_t>(p.rows))
            p.piece_rows = static_cast<index>(rows);
        return {};
    }
    SLUICE_TRY(p.piece_cols, side_of(d, Tag::tile_width, 0));
    SLUICE_TRY(p.piece_rows, side_of(d, Tag::tile_height, 0));
    // Sides of tiles are multiples of 16; a tile is larger than its page only where it is rounded.
    if (p.piece_rows < 16 || p.piece_cols < 16 || p.piece_rows > p.rows + 4096 ||
        p.piece_cols > p.cols + 4096)
        return d.wrong(fmt::format("tiles of {}x{} pixels in a page of {}x{}", p.piece_rows,
                                   p.piece_cols, p.rows, p.cols));
    return {};
}

Status find_pieces(Source const& file, Directory const& d, Page& p) {
    SLUICE_TRY(auto const at, d.numbers(p.tiled ? Tag::tile_offsets : Tag::strip_offsets));
    SLUICE_TRY(auto bytes, d.numbers(p.tiled ? Tag::tile_bytes : Tag::strip_bytes));
    index const wanted = p.across() * ((p.rows + p.piece_rows - 1) / p.piece_rows);
    // Old writers leave the length of a single strip out.
    if (bytes.empty() && at.size() == 1 && p.compression == Compression::none)
        bytes.push_back(p.frame_bytes());
    if (at.size() != bytes.size() || std::ssize(at) != wanted)
        return d.wrong(fmt::format("a page of {} pieces with {} places and {} lengths", wanted,
                                   at.size(), bytes.size()));
    for (std::size_t i = 0; i < at.size(); ++i) {
        if (at[i] > file.size() || bytes[i] > file.size() - at[i])
            return Error{Code::truncated, "the file ends within a page; copy it again", file.name(),
                         file.size()};
        p.pieces.push_back({at[i], bytes[i]});
    }
    return {};
}

}  // namespace

std::optional<std::uint64_t> Page::plain_at() const {
    if (compression != Compression::none || tiled) return {};
    std::uint64_t next = pieces.front().at, left = frame_bytes();
    for (Piece const& piece : pieces) {
        if (piece.at != next) return {};
        std::uint64_t const strip = std::min(left, static_cast<std::uint64_t>(piece_rows * cols) *
                                                       static_cast<std::uint64_t>(stored.bytes));
        if (piece.bytes < strip) return {};
        next += strip, left -= strip;
    }
    return pieces.front().at;
}

Result<Page> read_page(Source const& file, Order order, Directory const& d) {
    SLUICE_CHECK(check_colours(d));
    Page p;
    SLUICE_TRY(p.rows, side_of(d, Tag::height, 0));
    SLUICE_TRY(p.cols, side_of(d, Tag::width, 0));
    if (auto const sides = check_frame(p.rows, p.cols); !sides)
        return Error{sides.error().code, sides.error().message, file.name(), d.at()};
    SLUICE_TRY(p.stored, type_of(d, order.big_endian));
    SLUICE_TRY(p.compression, compression_of(d));
    SLUICE_TRY(p.predictor, predictor_of(d, p));
    SLUICE_TRY(auto const photometric, d.number(Tag::photometric, 1));
    p.white_is_zero = photometric == 0;
    p.tiled = d.has(Tag::tile_width);
    SLUICE_CHECK(find_sides(d, p));
    SLUICE_CHECK(find_pieces(file, d, p));
    return p;
}

}  // namespace sluice::tiff
