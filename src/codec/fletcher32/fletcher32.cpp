// Fletcher's checksum as HDF5 computes and stores it.
// SPDX-License-Identifier: Apache-2.0
#include "codec/fletcher32/fletcher32.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"

namespace sluice::codec {
namespace {

std::uint32_t fold(std::uint32_t sum) {
    return (sum & 0xffff) + (sum >> 16);
}

}  // namespace

std::uint32_t fletcher32(Bytes bytes) {
    // The second sum of 360 words stays below 2^32.
    constexpr std::size_t words_at_once = 360;
    std::uint32_t first = 0, second = 0;
    std::size_t const whole = bytes.size() / 2 * 2;
    for (std::size_t i = 0; i < whole;) {
        std::size_t const end = std::min(whole, i + 2 * words_at_once);
        for (; i < end; i += 2) {
            first += load_be<std::uint16_t>(bytes.data() + i);
            second += first;
        }
        first = fold(first);
        second = fold(second);
    }
    if (whole < bytes.size()) {
        first += std::to_integer<std::uint32_t>(bytes[whole]) << 8;
        second += first;
        first = fold(first);
        second = fold(second);
    }
    return fold(second) << 16 | fold(first);
}

Result<Bytes> check_fletcher32(Bytes chunk) {
    if (chunk.size() < 4)
        return Error{Code::corrupt, "a chunk shorter than its checksum; the file is damaged"};
    Bytes const data = chunk.first(chunk.size() - 4);
    auto const stored = load_le<std::uint32_t>(chunk.data() + data.size());
    std::uint32_t const sum = fletcher32(data);
    // Libraries before 1.6.3 stored the bytes of each half in the other order.
    std::uint32_t const old = (sum & 0x00ff00ffU) << 8 | (sum & 0xff00ff00U) >> 8;
    if (stored == sum || stored == old) return data;
    return Error{Code::corrupt,
                 fmt::format("the checksum of a chunk is {:08x} and not {:08x}; the file is "
                             "damaged, copy it again",
                             sum, stored)};
}

}  // namespace sluice::codec
