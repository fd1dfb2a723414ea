// LZW as TIFF has it: codes of 9 to 12 bits, most significant bit first, wider one code early.
// SPDX-License-Identifier: Apache-2.0
#include "codec/lzw/lzw.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace sluice::codec {
namespace {

constexpr unsigned clear_code = 256, end_code = 257, first_free = 258, table_size = 4096;

class BitReader {
  public:
    explicit BitReader(Bytes bytes) : bytes_(bytes) {}

    /// The next `width` bits, or the end code where the bytes end.
    unsigned take(unsigned width) {
        while (count_ < width) {
            if (at_ == bytes_.size()) return end_code;
            bits_ = bits_ << 8 | std::to_integer<std::uint64_t>(bytes_[at_++]);
            count_ += 8;
        }
        count_ -= width;
        return static_cast<unsigned>(bits_ >> count_) & ((1U << width) - 1);
    }
    std::size_t left() const { return bytes_.size() - at_; }

  private:
    Bytes bytes_;
    std::size_t at_ = 0;
    std::uint64_t bits_ = 0;
    unsigned count_ = 0;
};

Error damaged(char const* why) {
    return Error{Code::corrupt,
                 fmt::format("not a valid LZW stream ({}); the file is damaged", why)};
}

/// A string of the table. Each is a stretch of what has been decoded: the string before it and
/// the byte that followed.
struct Stretch {
    std::size_t begin = 0, size = 0;
};

}  // namespace

Status lzw_decompress(Bytes stream, std::span<std::byte> out) {
    BitReader reader(stream);
    std::array<Stretch, table_size> table;
    unsigned width = 9, next = first_free;
    std::size_t done = 0;
    Stretch previous;
    while (done < out.size()) {
        unsigned const code = reader.take(width);
        if (code == end_code) return damaged("it ends early");
        if (code == clear_code) {
            width = 9;
            next = first_free;
            previous = {};
            continue;
        }
        if (previous.size > 0 && next < table_size) {
            table[next++] = {previous.begin, previous.size + 1};
            if (next + 1 == 1U << width && width < 12) ++width;
        }
        if (code >= next) return damaged("a code that was not defined");
        if (code < clear_code) {
            previous = {done, 1};
            out[done++] = static_cast<std::byte>(code);
            continue;
        }
        Stretch const string = table[code];
        if (string.size > out.size() - done) return damaged("it is longer than its tile");
        // Byte by byte where the string is still being written: its last byte is its first.
        if (string.begin + string.size <= done)
            std::memcpy(out.data() + done, out.data() + string.begin, string.size);
        else
            for (std::size_t i = 0; i < string.size; ++i) out[done + i] = out[string.begin + i];
        previous = {done, string.size};
        done += string.size;
    }
    // An end code and what fills its last byte; writers differ in the width of that code.
    constexpr std::size_t most_left = 4;
    if (reader.left() > most_left) return damaged("it is longer than its tile");
    return {};
}

}  // namespace sluice::codec
