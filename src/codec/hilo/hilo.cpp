// What CZI files put around zstd: a header, and 16-bit samples split into low and high bytes.
// SPDX-License-Identifier: Apache-2.0
#include "codec/hilo/hilo.h"

#include <fmt/format.h>

#include "codec/hilo/interleave.h"

namespace sluice::codec {
namespace {

Error truncated() {
    return Error{Code::truncated, "the data end within the zstd1 header; the file is damaged"};
}

}  // namespace

Result<Zstd1Header> parse_zstd1(Bytes data) {
    if (data.empty()) return truncated();
    auto const size = std::to_integer<std::size_t>(data[0]);
    // From 0x80 on the number goes on in the next byte; nothing that long has been defined.
    if (size >= 0x80)
        return Error{Code::unsupported,
                     "a zstd1 header of 128 bytes or more (only the hi-lo option is known) read it "
                     "with newer software"};
    if (size == 0) return Error{Code::corrupt, "a zstd1 header of 0 bytes; the file is damaged"};
    if (size > data.size()) return truncated();
    Zstd1Header header{size, false};
    for (std::size_t at = 1; at < size; at += 2) {
        auto const id = std::to_integer<int>(data[at]);
        if (id != 1)
            return Error{
                Code::unsupported,
                fmt::format("part {} of a zstd1 header (only part 1, hi-lo, is known) read "
                            "it with newer software",
                            id)};
        if (at + 1 == size) return truncated();
        auto const options = std::to_integer<int>(data[at + 1]);
        if (options > 1)
            return Error{Code::unsupported,
                         fmt::format("hi-lo options {:#x} of a zstd1 header (only bit 0 is known) "
                                     "read it with newer software",
                                     options)};
        header.hi_lo = options == 1;
    }
    return header;
}

void unpack_hilo(Bytes packed, index first, std::span<std::byte> out, bool past_caches) {
    static Interleave const& kernels = interleave(chosen_isa());
    std::size_t const half = packed.size() / 2, samples = out.size() / 2;
    auto const begin = static_cast<std::size_t>(first);
    expects(first >= 0 && begin <= half && samples <= half - begin);
    std::byte const *const low = packed.data() + begin, *const high = low + half;
    auto const unpack = past_caches ? kernels.past : kernels.to;
    unpack(low, high, static_cast<index>(samples), out.data());
    if (out.size() % 2 == 0) return;
    expects(packed.size() % 2 == 1 && begin + samples == half);
    out.back() = packed.back();
}

}  // namespace sluice::codec
