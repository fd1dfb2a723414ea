// Blosc 1 chunks as values.
// SPDX-License-Identifier: Apache-2.0
#include "codec/blosc/blosc.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "codec/bitshuffle/has_bits.h"
#include "codec/bitshuffle/transpose.h"
#include "codec/blosc/parts.h"
#include "codec/shuffle/shuffle.h"
#include "device/isa.h"

namespace sluice::codec {
namespace {

using blosc::Header;

Status decode_block(Bytes chunk, Header const& h, std::size_t b, std::span<std::byte> out) {
    std::size_t const each = out.size() / h.streams_of(b);
    return blosc::for_each_stream(chunk, h, b, [&](Bytes in, std::size_t s) {
        return blosc::decode_stream(chunk, h, in, out.subspan(s * each, each));
    });
}

// Planes of a block lie a power of two apart, where a cache holds few of them: a stretch of each
// is copied first. The upper planes of counts are empty.
void undo_bits(Bytes planes, std::size_t element, std::byte* out) {
    constexpr std::size_t room = 16384;
    alignas(64) std::array<std::byte, room> near;
    std::size_t const count = 8 * element, stride = planes.size() / count;
    std::size_t const some = room / count / 64 * 64;
    for (std::size_t at = 0; at < stride; at += some) {
        std::size_t const bytes = std::min(some, stride - at);
        std::size_t filled = count;
        while (filled > 0 && !has_bits(planes.data() + (filled - 1) * stride + at, bytes)) --filled;
        for (std::size_t p = 0; p < filled; ++p)
            std::memcpy(near.data() + p * some, planes.data() + p * stride + at, bytes);
        transpose(chosen_isa())
            .unpack(near.data(), static_cast<index>(some), static_cast<int>(filled),
                    static_cast<int>(element), static_cast<index>(8 * bytes),
                    out + 8 * at * element);
    }
}

Status undo_shuffle(Header const& h, Bytes in, std::span<std::byte> out) {
    if (h.flags & blosc::byte_shuffled) return unshuffle(in, static_cast<int>(h.element), out);
    // Of whole groups of eight elements; else the block is not shuffled at all.
    std::size_t const elements = in.size() / h.element;
    std::size_t const done = elements % 8 == 0 ? elements * h.element : 0;
    if (done > 0 && h.element <= 8)
        undo_bits(in.first(done), h.element, out.data());
    else if (done > 0)
        transpose(chosen_isa())
            .unpack(in.data(), static_cast<index>(elements / 8), static_cast<int>(8 * h.element),
                    static_cast<int>(h.element), static_cast<index>(elements), out.data());
    if (done < in.size()) std::memcpy(out.data() + done, in.data() + done, in.size() - done);
    return {};
}

bool shuffled(Header const& h) {
    return ((h.flags & blosc::byte_shuffled) && h.element > 1) || (h.flags & blosc::bit_shuffled);
}

}  // namespace

Result<std::size_t> blosc_decompress(Bytes chunk, std::span<std::byte> out) {
    SLUICE_TRY(Header const h, blosc::read_header(chunk, out.size()));
    if (h.flags & blosc::stored) {
        if (h.bytes > chunk.size() - blosc::header_bytes)
            return blosc::damaged("cut off", chunk.size());
        if (h.bytes > 0) std::memcpy(out.data(), chunk.data() + blosc::header_bytes, h.bytes);
        return h.bytes;
    }
    std::vector<std::byte> planes(std::min(h.block, h.bytes));
    for (std::size_t b = 0; b < h.blocks(); ++b) {
        std::span const to = out.subspan(b * h.block, h.bytes_of(b));
        std::span const first = shuffled(h) ? std::span(planes).first(to.size()) : to;
        SLUICE_CHECK(decode_block(chunk, h, b, first));
        if (shuffled(h)) SLUICE_CHECK(undo_shuffle(h, first, to));
    }
    return h.bytes;
}

}  // namespace sluice::codec
