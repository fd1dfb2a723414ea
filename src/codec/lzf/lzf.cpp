// LZF blocks: runs of plain bytes, and references at most 8 KiB back.
// SPDX-License-Identifier: Apache-2.0
#include "codec/lzf/lzf.h"

#include <cstring>

namespace sluice::codec {
namespace {

Error damaged(char const* what, std::size_t at) {
    return {Code::corrupt, std::string("an LZF block ") + what + "; the file is damaged", {}, at};
}

}  // namespace

Result<std::size_t> lzf_decompress(Bytes in, std::span<std::byte> out) {
    std::size_t at = 0, to = 0;
    auto const byte = [&](std::size_t i) { return std::to_integer<std::size_t>(in[i]); };
    while (at < in.size()) {
        std::size_t const control = byte(at++);
        if (control < 32) {  // this many plain bytes, and one
            std::size_t const n = control + 1;
            if (n > in.size() - at) return damaged("ends within a run", at);
            if (n > out.size() - to) return damaged("holds more than its chunk", at);
            std::memcpy(out.data() + to, in.data() + at, n);
            at += n;
            to += n;
            continue;
        }
        std::size_t n = control >> 5;
        if (in.size() - at < (n == 7 ? 2U : 1U)) return damaged("ends within a reference", at);
        if (n == 7) n += byte(at++);
        n += 2;
        std::size_t const back = ((control & 31) << 8 | byte(at++)) + 1;
        if (back > to) return damaged("refers to what is before its beginning", at);
        if (n > out.size() - to) return damaged("holds more than its chunk", at);
        // Byte by byte: a reference may overlap what it makes.
        for (std::size_t i = 0; i < n; ++i) out[to + i] = out[to + i - back];
        to += n;
    }
    return to;
}

}  // namespace sluice::codec
