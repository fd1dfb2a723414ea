// The valid-pixel mask in a sub-block's attachment.
// SPDX-License-Identifier: Apache-2.0
#include "format/czi/layout.h"

namespace sluice::czi {
namespace {

// {CBE3EA67-5BFC-492B-A16A-ECE378031448} as it lies in the file.
constexpr std::array<std::uint8_t, 16> mask_guid = {0x67, 0xea, 0xe3, 0xcb, 0xfc, 0x5b, 0x2b, 0x49,
                                                    0xa1, 0x6a, 0xec, 0xe3, 0x78, 0x03, 0x14, 0x48};
constexpr std::size_t chunk_head = 20, mask_head = 16;

Result<Mask> parse_bits(Bytes b) {
    if (b.size() < mask_head) return Error{Code::corrupt, "a mask is cut off"};
    auto const width = load_le<std::int32_t>(b.data());
    auto const height = load_le<std::int32_t>(b.data() + 4);
    auto const kind = load_le<std::int32_t>(b.data() + 8);
    auto const stride = load_le<std::int32_t>(b.data() + 12);
    if (kind != 0)
        return Error{Code::unsupported,
                     fmt::format("a mask of kind {} (only 0, one bit each, is known)", kind)};
    if (width <= 0 || height <= 0 || stride < (width - 1) / 8 + 1 ||
        static_cast<std::uint64_t>(stride) * static_cast<std::uint64_t>(height) >
            b.size() - mask_head)
        return Error{Code::corrupt, fmt::format("a mask of {} x {} pixels and {} bytes a row does "
                                                "not fit its {} bytes",
                                                width, height, stride, b.size() - mask_head)};
    // With rows of the least length, or nothing left over, the length of a row is certain.
    if (stride != (width - 1) / 8 + 1 &&
        static_cast<std::uint64_t>(stride) * static_cast<std::uint64_t>(height) !=
            b.size() - mask_head)
        return Error{Code::corrupt, fmt::format("a mask of {} x {} pixels and {} bytes a row has "
                                                "{} bytes",
                                                width, height, stride, b.size() - mask_head)};
    Mask m;
    m.width = width;
    m.height = height;
    m.stride = stride;
    auto const* const bits = reinterpret_cast<std::uint8_t const*>(b.data() + mask_head);
    m.bits.assign(bits, bits + m.stride * m.height);
    return m;
}

}  // namespace

Result<Mask> parse_mask(Bytes attachment) {
    while (attachment.size() >= chunk_head) {
        auto const size = load_le<std::int32_t>(attachment.data() + 16);
        if (size < 0 || static_cast<std::size_t>(size) > attachment.size() - chunk_head)
            return Error{Code::corrupt,
                         fmt::format("a part of a tile's attachment says that it has {} bytes ({} "
                                     "follow)",
                                     size, attachment.size() - chunk_head)};
        Bytes const chunk = attachment.subspan(chunk_head, static_cast<std::size_t>(size));
        if (std::memcmp(attachment.data(), mask_guid.data(), mask_guid.size()) == 0)
            return parse_bits(chunk);
        attachment = attachment.subspan(chunk_head + static_cast<std::size_t>(size));
    }
    return Mask{};
}

}  // namespace sluice::czi
