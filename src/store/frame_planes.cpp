// Decoding into bit planes: after LZ4 a bitshuffle block already is bit planes, so that all there
// is to do is to leave out the empty ones.
// SPDX-License-Identifier: Apache-2.0
#include "store/frame_planes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "codec/bitshuffle/transpose.h"
#include "codec/rowplanes/row_planes.h"
#include "format/decode_frame.h"
#include "kernel/planes/make_tile.h"

namespace sluice::store {
FramePlanes::FramePlanes(FrameGeometry geometry, PixelRules const& rules, Isa isa)
    : geometry_(geometry),
      rules_(rules),
      isa_(isa),
      planes_of_row_(static_cast<std::size_t>(geometry.block_rows())) {}

Status FramePlanes::decode(EncodedFrame const& frame, std::span<std::uint8_t const> need,
                           Tally& tally, std::byte* planes, index stride) {
    planes_ = planes;
    stride_ = stride;
    std::fill(planes_of_row_.begin(), planes_of_row_.end(), std::uint8_t{0});
    // Planes of other elements than the pixels are no planes of the frame.
    if (frame.shuffled_bytes != 0 && frame.shuffled_bytes != geometry_.bytes())
        return decode_values(frame, need, tally);
    switch (frame.encoding) {
        case Encoding::missing:
            if (!frame.bytes.empty()) return decode_values(frame, need, tally);
            ++tally.missing;
            return {};
        case Encoding::values:
        case Encoding::lz4:
        case Encoding::lz4_block:
        case Encoding::big_endian:
        case Encoding::medipix:
        case Encoding::hits:
        case Encoding::wide_hits:
        case Encoding::row_planes:
            return decode_values(frame, need, tally);
        case Encoding::bitshuffle:
            return decode_shuffled(frame, codec::Compression::none, need, tally);
        case Encoding::bitshuffle_lz4:
            return decode_shuffled(frame, codec::Compression::lz4, need, tally);
        case Encoding::bitshuffle_zstd:
            return decode_shuffled(frame, codec::Compression::zstd, need, tally);
    }
    return {};
}

// The blocks of a frame, and those that are needed, are the same from frame to frame.
void FramePlanes::cut_pieces(index block_elements, std::span<std::uint8_t const> need) {
    if (block_elements == block_elements_ && std::ranges::equal(need, need_)) return;
    block_elements_ = block_elements;
    need_.assign(need.begin(), need.end());
    pieces_.clear();
    index const whole = geometry_.pixels() / 8 * 8;
    auto bad = rules_.bad.begin();
    for (index first = 0; first < whole; first += block_elements) {
        Piece piece{first, std::min(block_elements, whole - first), need.empty(), {}};
        // The pixels of the tail come after the last piece, and with it.
        index const end = first + piece.count == whole ? geometry_.pixels() : first + piece.count;
        index const last_row = (end - 1) / geometry_.cols / 8;
        for (index r = first / geometry_.cols / 8; !need.empty() && r <= last_row; ++r)
            piece.needed |= need[static_cast<std::size_t>(r)] != 0;
        for (; bad != rules_.bad.end() && *bad < first + piece.count; ++bad) {
            auto const at = static_cast<std::uint32_t>((*bad - first) / 8);
            if (piece.keep.empty() || piece.keep.back().first != at)
                piece.keep.push_back({at, 0xff});
            piece.keep.back().second &= static_cast<std::uint8_t>(~(1U << (*bad % 8)));
        }
        pieces_.push_back(std::move(piece));
    }
    piece_top_.assign(pieces_.size(), 0);
    index const largest = std::min(block_elements, whole);
    scratch_.resize(static_cast<std::size_t>(largest * geometry_.bytes()) + codec::planes_slack);
}

Status FramePlanes::decode_shuffled(EncodedFrame const& frame, codec::Compression compression,
                                    std::span<std::uint8_t const> need, Tally& tally) {
    auto walk = codec::BlockWalk::begin(frame.bytes, compression, geometry_.pixels(),
                                        geometry_.bytes(), frame.block_elements);
    if (!walk) return located(std::move(walk).error(), frame);
    // A block size larger than the frame is legal, and means one block.
    cut_pieces(std::min(walk->block_elements(), std::max<index>(8, geometry_.pixels() / 8 * 8)),
               need);
    int top_of_frame = 0;
    std::size_t last = pieces_.size();
    while (last > 0 && !pieces_[last - 1].needed) --last;
    std::fill(piece_top_.begin(), piece_top_.end(), 0);
    for (std::size_t i = 0; i < last; ++i) {
        auto block = walk->next();
        if (!block) return located(std::move(block).error(), frame);
        if (!pieces_[i].needed) continue;
        // One block's worth of scratch, which stays in the first-level cache.
        auto const found = codec::decode_planes(*block, compression, isa_, walk->end(),
                                                geometry_.planes(), scratch_.data());
        if (!found) {
            Error error = found.error();
            error.at = static_cast<std::uint64_t>(block->bytes.data() - frame.bytes.data());
            return located(std::move(error), frame);
        }
        index const bytes = pieces_[i].count / 8;
        int const top = clean(pieces_[i], *found, scratch_.data(), bytes, tally);
        for (int p = 0; p < top; ++p)
            std::memcpy(planes_ + p * stride_ + pieces_[i].first / 8, scratch_.data() + p * bytes,
                        static_cast<std::size_t>(bytes));
        piece_top_[i] = top;
        top_of_frame = std::max(top_of_frame, top);
        note_rows(pieces_[i], top);
    }
    for (std::size_t i = 0; i < last; ++i)
        for (int p = piece_top_[i]; pieces_[i].needed && p < top_of_frame; ++p)
            std::memset(planes_ + pieces_[i].first / 8 + p * stride_, 0,
                        static_cast<std::size_t>(pieces_[i].count / 8));
    if (geometry_.pixels() % 8 == 0 || !walk->done()) return {};
    auto tail = walk->tail();
    if (!tail) return located(std::move(tail).error(), frame);
    place_tail(*tail, tally);
    return {};
}

// Clears bad pixels and sentinels of one piece, counts saturated pixels, and returns how many
// planes are left.
int FramePlanes::clean(Piece const& piece, codec::PlanesFound found, std::byte* planes,
                       index stride, Tally& tally) const {
    int top = found.filled;
    for (auto const& [at, keep] : piece.keep)
        for (int p = 0; p < top; ++p) planes[p * stride + at] &= static_cast<std::byte>(keep);
    auto const& any = planes::tile_making(isa_).any;
    index const bytes = piece.count / 8;
    // Most planes are empty, and a block's are neighbours in memory: halves first, then one by one.
    for (int half = top / 2; stride == bytes && half >= 2; half /= 2) {
        if (any(planes + (top - half) * stride, half * stride)) break;
        top -= half;
    }
    while (top > 0 && !any(planes + (top - 1) * stride, bytes)) --top;
    // What repeats is empty where the plane it repeats is: most often that was a bad pixel alone.
    if (found.repeats && top == found.filled) {
        codec::write_repeats(found, stride, geometry_.planes(), planes);
        top = geometry_.planes();
    }
    check_range(planes, stride, bytes, top, tally);
    return top;
}

void FramePlanes::check_range(std::byte* planes, index stride, index bytes, int& top,
                              Tally& tally) const {
    bool const may_hold_sentinel = rules_.sentinel && top == geometry_.planes();
    bool const may_be_saturated =
        rules_.saturation && top >= static_cast<int>(std::bit_width(*rules_.saturation));
    if (!may_hold_sentinel && !may_be_saturated) return;
    for (index b = 0; b < bytes; ++b) {
        auto const byte = [&](int p) { return std::to_integer<unsigned>(planes[p * stride + b]); };
        if (may_hold_sentinel) {
            unsigned all = 0xff;
            for (int p = 0; p < top; ++p) all &= byte(p);
            tally.sentinels += static_cast<std::uint64_t>(std::popcount(all));
            for (int p = 0; all && p < top; ++p)
                planes[p * stride + b] &= static_cast<std::byte>(~all);
        }
        if (may_be_saturated) {
            unsigned larger = 0, equal = 0xff;  // compared bit by bit from the top
            for (int p = top - 1; p >= 0; --p) {
                unsigned const limit = *rules_.saturation >> p & 1 ? 0xffU : 0U;
                larger |= equal & byte(p) & ~limit;
                equal &= ~(byte(p) ^ limit);
            }
            tally.saturated += static_cast<std::uint64_t>(std::popcount(larger));
        }
    }
    auto const& any = planes::tile_making(isa_).any;
    while (top > 0 && !any(planes + (top - 1) * stride, bytes)) --top;
}

void FramePlanes::note_rows(Piece const& piece, int top) {
    index const last = (piece.first + piece.count - 1) / geometry_.cols / 8;
    for (index r = piece.first / geometry_.cols / 8; r <= last; ++r) {
        auto& planes = planes_of_row_[static_cast<std::size_t>(r)];
        planes = std::max(planes, static_cast<std::uint8_t>(top));
    }
}

// The up to seven last pixels stand verbatim in the file; they share the planes' last byte.
void FramePlanes::place_tail(Bytes tail, Tally& tally) {
    index const first = geometry_.pixels() / 8 * 8, at = first / 8;
    std::vector<std::byte> values(tail.begin(), tail.end());
    values.resize(8 * static_cast<std::size_t>(geometry_.bytes()));
    Piece piece{first, 8, true, {}};
    for (std::uint32_t bad : rules_.bad)
        if (bad >= first) piece.keep.push_back({0, static_cast<std::uint8_t>(~(1U << (bad % 8)))});
    codec::transpose(isa_).pack(values.data(), geometry_.bytes(), 8, planes_ + at, stride_);
    int const top = clean(piece, {geometry_.planes(), false}, planes_ + at, stride_, tally);
    piece.count = geometry_.pixels() - first;
    // Planes that the last row gains through its tail were not cleared for the rest of the row.
    auto& planes = planes_of_row_.back();
    index const row_first = (geometry_.block_rows() - 1) * 8 * geometry_.cols / 8;
    for (int p = planes; p < top; ++p)
        std::memset(planes_ + p * stride_ + row_first, 0, static_cast<std::size_t>(at - row_first));
    planes = std::max(planes, static_cast<std::uint8_t>(top));
}

// Whether a rule may need the values themselves, of which any has these bits.
bool FramePlanes::needs_values(std::uint32_t bits) const {
    auto const all_ones =
        static_cast<std::uint32_t>(~std::uint64_t{0} >> (64 - geometry_.planes()));
    return (rules_.sentinel && bits == all_ones) ||
           (rules_.saturation && bits > *rules_.saturation);
}

void FramePlanes::clear_bad() {
    for (std::uint32_t const bad : rules_.bad) {
        int const count = planes_of_row_[static_cast<std::size_t>(bad / geometry_.cols / 8)];
        auto const keep = static_cast<std::byte>(~(1U << (bad % 8)));
        for (int p = 0; p < count; ++p) planes_[p * stride_ + bad / 8] &= keep;
    }
}

// Values become planes where they lie. Of the planes that are empty in a row of blocks only those
// are written that the row before made likely. False: a rule may need the values themselves.
bool FramePlanes::pack_plain(codec::Plain values, std::span<std::uint8_t const> need) {
    int expected = 0;
    for (index r = 0; r < geometry_.block_rows(); ++r) {
        index const first = r * 8 * geometry_.cols;
        index const n = std::min(8 * geometry_.cols, geometry_.pixels() - first);
        codec::Plain row = values;
        row.data += first * row.bytes;
        auto const at = static_cast<std::size_t>(r);
        bool const needed = need.empty() || need[at] != 0;
        std::byte* const to = planes_ + first / 8;
        std::uint32_t const bits = needed
                                       ? codec::pack_needed(isa_, row, n, expected, to, stride_)
                                       : codec::transpose(isa_).pack_lowest(row, n, 0, to, stride_);
        if (needs_values(bits)) return false;
        planes_of_row_[at] = static_cast<std::uint8_t>(needed ? std::bit_width(bits) : 0);
    }
    clear_bad();
    return true;
}

// Planes that are there already, as pack_plain() makes them.
Result<bool> FramePlanes::place_rows(EncodedFrame const& frame,
                                     std::span<std::uint8_t const> need) {
    auto walk = codec::RowPlanesWalk::begin(frame.bytes,
                                            {geometry_.rows, geometry_.cols, geometry_.bytes()});
    if (!walk) return located(std::move(walk).error(), frame);
    for (index r = 0; r < geometry_.block_rows(); ++r) {
        auto const rows = walk->next();
        if (!rows) return located(rows.error(), frame);
        if (needs_values(rows->bits)) return false;
        auto const at = static_cast<std::size_t>(r);
        int const count = need.empty() || need[at] ? rows->count : 0;
        index const bytes = rows->plane_bytes();
        for (int p = 0; p < count; ++p)
            std::memcpy(planes_ + p * stride_ + rows->first / 8, rows->planes.data() + p * bytes,
                        static_cast<std::size_t>(bytes));
        planes_of_row_[at] = static_cast<std::uint8_t>(count);
    }
    clear_bad();
    return true;
}

Result<bool> FramePlanes::pack_values(EncodedFrame const& frame,
                                      std::span<std::uint8_t const> need) {
    if (frame.encoding == Encoding::row_planes) return place_rows(frame, need);
    bool const lacks = frame.encoding == Encoding::missing || frame.partial;
    if (lacks || geometry_.pixels() % 8 != 0) return false;
    Bytes values = frame.bytes;
    auto const size = static_cast<std::size_t>(geometry_.pixels() * geometry_.bytes());
    if (frame.encoding != Encoding::values && frame.encoding != Encoding::big_endian) {
        scratch_.resize(std::max(scratch_.size(), size));
        std::span const decoded(scratch_.data(), size);
        if (auto s =
                decode_frame(frame, {geometry_.rows, geometry_.cols, geometry_.bytes()}, decoded);
            !s)
            return located(std::move(s).error(), frame);
        values = decoded;
    }
    if (values.size() != size) return false;
    return pack_plain({values.data(), geometry_.bytes(), frame.encoding == Encoding::big_endian},
                      need);
}

Status FramePlanes::decode_values(EncodedFrame const& frame, std::span<std::uint8_t const> need,
                                  Tally& tally) {
    SLUICE_TRY(bool const packed, pack_values(frame, need));
    if (packed) {
        tally.rounded += frame.changed.rounded;
        tally.beyond += frame.changed.beyond;
        return {};
    }
    auto const size = static_cast<std::size_t>(geometry_.pixels() * geometry_.bytes());
    scratch_.resize(std::max(scratch_.size(), size));
    std::span const values(scratch_.data(), size);
    SLUICE_CHECK(store::decode_values(frame, geometry_, rules_, values, tally));
    index const whole = geometry_.pixels() / 8 * 8;
    codec::transpose(isa_).pack(values.data(), geometry_.bytes(), whole, planes_, stride_);
    if (whole < geometry_.pixels()) {
        std::vector<std::byte> last(static_cast<std::size_t>(8 * geometry_.bytes()));
        std::memcpy(last.data(), values.data() + whole * geometry_.bytes(),
                    size - static_cast<std::size_t>(whole * geometry_.bytes()));
        codec::transpose(isa_).pack(last.data(), geometry_.bytes(), 8, planes_ + whole / 8,
                                    stride_);
    }
    auto const& any = planes::tile_making(isa_).any;
    for (index r = 0; r < geometry_.block_rows(); ++r) {
        index const first = r * 8 * geometry_.cols;
        index const last = std::min(first + 8 * geometry_.cols, geometry_.pixels());
        int top = geometry_.planes();
        while (top > 0 &&
               !any(planes_ + (top - 1) * stride_ + first / 8, (last + 7) / 8 - first / 8))
            --top;
        planes_of_row_[static_cast<std::size_t>(r)] = static_cast<std::uint8_t>(top);
    }
    return {};
}

}  // namespace sluice::store
