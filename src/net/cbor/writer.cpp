// Writes CBOR.
// SPDX-License-Identifier: Apache-2.0
#include "net/cbor/writer.h"

#include <bit>

namespace sluice::cbor {

void Writer::big_endian(std::uint64_t number, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) out_.push_back(static_cast<std::byte>(number >> 8 * i));
}

void Writer::head(unsigned major, std::uint64_t number) {
    auto const first = [&](unsigned info) {
        out_.push_back(static_cast<std::byte>(major << 5 | info));
    };
    if (number < 24) return first(static_cast<unsigned>(number));
    int power = 0;  // 2^power bytes
    while (power < 3 && number >> 8 * (1 << power) != 0) ++power;
    first(24 + static_cast<unsigned>(power));
    big_endian(number, 1 << power);
}

void Writer::whole(std::int64_t number) {
    if (number >= 0) return natural(static_cast<std::uint64_t>(number));
    head(1, static_cast<std::uint64_t>(-1 - number));
}

void Writer::real(double number) {
    out_.push_back(std::byte{0xfb});
    big_endian(std::bit_cast<std::uint64_t>(number), 8);
}

void Writer::text(std::string_view text) {
    head(3, text.size());
    raw(std::as_bytes(std::span(text)));
}

void Writer::bytes(Bytes bytes) {
    bytes_head(bytes.size());
    raw(bytes);
}

}  // namespace sluice::cbor
