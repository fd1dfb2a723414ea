// Counters of Medipix3 chips in the order in which they are read out.
// SPDX-License-Identifier: Apache-2.0
#include "codec/medipix/medipix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sluice::codec {
namespace {

/// A row of one chip: where its bytes begin in the frame, and where its pixels go.
struct ChipRow {
    std::size_t at = 0;
    index first = 0;  ///< pixel of the image
    index step = 1;   ///< -1: from right to left
};

/// Bits that a counter takes in the stream.
int stored_bits(int depth) {
    if (depth == 1) return 1;
    return depth == 6 ? 8 : 16;
}

index pixels_of_group(int depth) {
    return 64 / stored_bits(depth);
}

/// Calls act(ChipRow) for each row of each chip, in the order of the bytes.
template <class Act>
void for_chip_rows(MedipixRaw how, index rows, index cols, Act const& act) {
    if (!how.quad) {
        auto const bytes = static_cast<std::size_t>(cols * stored_bits(how.depth) / 8);
        for (index r = 0; r < rows; ++r)
            act(ChipRow{static_cast<std::size_t>(r) * bytes, r * cols, 1});
        return;
    }
    index const half_rows = rows / 2, half = cols / 2;
    auto const bytes = static_cast<std::size_t>(half * stored_bits(how.depth) / 8);
    for (index r = 0; r < half_rows; ++r) {
        std::size_t const line = static_cast<std::size_t>(r) * 4 * bytes;
        index const below = (rows - 1 - r) * cols;  // upside down
        act(ChipRow{line, below + cols - 1, -1});
        act(ChipRow{line + bytes, below + half - 1, -1});
        act(ChipRow{line + 2 * bytes, r * cols + half, 1});
        act(ChipRow{line + 3 * bytes, r * cols, 1});
    }
}

// The groups of 64 bits stand most significant byte first, and their last pixel with it.
// So a group is its pixels in the right order once its bytes are turned around, and in the order of
// a row from right to left if the bytes of each counter are.
using Group = std::uint64_t;

Group load_group(std::byte const* from) {
    Group x;
    std::memcpy(&x, from, sizeof x);
    return x;
}

// The bytes of each of four counters change places.
Group swap_counters(Group x) {
    constexpr Group low = 0x00ff00ff00ff00ff;
    return (x >> 8 & low) | (x & low) << 8;
}

// Eight bits as eight bytes, the lowest first.
Group spread(std::byte bits) {
    Group const each = std::to_integer<Group>(bits) * 0x0101010101010101 & 0x8040201008040201;
    return ((each + 0x7f7f7f7f7f7f7f7f) | each) >> 7 & 0x0101010101010101;
}

void read_row(std::byte const* in, int depth, index count, std::byte* out, index step) {
    int const element = medipix_element_bytes(depth);
    index const size = pixels_of_group(depth) * element, groups = count / pixels_of_group(depth);
    // Of a row from right to left `out` is the last pixel.
    if (step < 0) out -= (count - 1) * element;
    for (index g = 0; g < groups; ++g) {
        std::byte const* const from = in + 8 * g;
        std::byte* const to = out + (step < 0 ? groups - 1 - g : g) * size;
        Group x = load_group(from);
        if (depth == 1) {
            for (int b = 0; b < 8; ++b) {
                x = spread(from[step < 0 ? b : 7 - b]);
                if (step < 0) x = __builtin_bswap64(x);
                std::memcpy(to + 8 * b, &x, sizeof x);
            }
            continue;
        }
        if (step > 0)
            x = __builtin_bswap64(x);
        else if (depth == 12)
            x = swap_counters(x);
        std::memcpy(to, &x, sizeof x);
    }
}

void write_row(std::byte const* values, int depth, index count, std::byte* out, index step) {
    auto const largest = static_cast<std::uint16_t>((1 << depth) - 1);
    for (index i = 0; i < count; ++i) {
        index const at = i * step;
        if (depth == 12) {
            std::uint16_t v = 0;
            std::memcpy(&v, values + 2 * at, sizeof v);
            v = std::min(v, largest);
            std::byte* const to = out + 2 * (i / 4 * 4 + 3 - i % 4);
            to[0] = static_cast<std::byte>(v >> 8), to[1] = static_cast<std::byte>(v & 0xff);
            continue;
        }
        auto const v =
            std::min(std::to_integer<std::uint8_t>(values[at]), static_cast<std::uint8_t>(largest));
        if (depth == 6)
            out[i / 8 * 8 + 7 - i % 8] = static_cast<std::byte>(v);
        else
            out[i / 64 * 8 + 7 - i % 64 / 8] |= static_cast<std::byte>(v << (i % 8));
    }
}

}  // namespace

int medipix_element_bytes(int depth) {
    if (depth == 1 || depth == 6) return 1;
    if (depth == 12) return 2;
    return depth == 24 ? 4 : 0;
}

std::optional<std::size_t> medipix_bytes(MedipixRaw how, index rows, index cols) {
    if (medipix_element_bytes(how.depth) == 0 || rows < 1 || cols < 1) return {};
    index const row_of_chip = how.quad ? cols / 2 : cols;
    if (how.quad && (rows % 2 != 0 || cols % 2 != 0)) return {};
    if (row_of_chip % pixels_of_group(how.depth) != 0) return {};
    index const bits = rows * cols * stored_bits(how.depth) * (how.depth == 24 ? 2 : 1);
    return static_cast<std::size_t>(bits / 8);
}

Status decode_medipix(Bytes raw, MedipixRaw how, index rows, index cols,
                      std::span<std::byte> values) {
    auto const bytes = medipix_bytes(how, rows, cols);
    int const element = medipix_element_bytes(how.depth);
    if (!bytes || raw.size() != *bytes ||
        values.size() != static_cast<std::size_t>(rows * cols * element))
        return Error{Code::corrupt,
                     fmt::format("{} bytes of raw counters of {} bits for {}x{} pixels of {} bytes",
                                 raw.size(), how.depth, rows, cols,
                                 values.size() / static_cast<std::size_t>(rows * cols))};
    index const count = how.quad ? cols / 2 : cols;
    if (how.depth != 24) {
        for_chip_rows(how, rows, cols, [&](ChipRow row) {
            read_row(raw.data() + row.at, how.depth, count, values.data() + row.first * element,
                     row.step);
        });
        return {};
    }
    auto const half = values.size() / 2;
    std::vector<std::byte> upper(half), lower(half);
    MedipixRaw const one{.depth = 12, .quad = how.quad};
    SLUICE_CHECK(decode_medipix(raw.first(raw.size() / 2), one, rows, cols, upper));
    SLUICE_CHECK(decode_medipix(raw.subspan(raw.size() / 2), one, rows, cols, lower));
    for (index i = 0; i < rows * cols; ++i) {
        std::uint16_t high = 0, low = 0;
        std::memcpy(&high, upper.data() + 2 * i, sizeof high);
        std::memcpy(&low, lower.data() + 2 * i, sizeof low);
        std::uint32_t const v = (std::uint32_t{high} << 12) + low;
        std::memcpy(values.data() + 4 * i, &v, sizeof v);
    }
    return {};
}

std::vector<std::byte> encode_medipix(Bytes values, MedipixRaw how, index rows, index cols) {
    auto const bytes = medipix_bytes(how, rows, cols);
    int const element = medipix_element_bytes(how.depth);
    expects(bytes && values.size() == static_cast<std::size_t>(rows * cols * element));
    std::vector<std::byte> out(*bytes);
    index const count = how.quad ? cols / 2 : cols;
    if (how.depth != 24) {
        for_chip_rows(how, rows, cols, [&](ChipRow row) {
            write_row(values.data() + row.first * element, how.depth, count, out.data() + row.at,
                      row.step);
        });
        return out;
    }
    MedipixRaw const one{.depth = 12, .quad = how.quad};
    auto const half = static_cast<std::size_t>(rows * cols * 2);
    for (int part = 0; part < 2; ++part) {
        std::vector<std::byte> twelve(half);
        for (index i = 0; i < rows * cols; ++i) {
            std::uint32_t v = 0;
            std::memcpy(&v, values.data() + 4 * i, sizeof v);
            v = std::min(v, std::uint32_t{0xffffff});
            auto const bits = static_cast<std::uint16_t>(part == 0 ? v >> 12 : v & 0xfff);
            std::memcpy(twelve.data() + 2 * i, &bits, sizeof bits);
        }
        auto const frame = encode_medipix(twelve, one, rows, cols);
        std::copy(frame.begin(), frame.end(),
                  out.begin() + static_cast<std::ptrdiff_t>(frame.size()) * part);
    }
    return out;
}

}  // namespace sluice::codec
