// Superblock versions 0 to 3 (HDF5 File Format Specification 3.0, section II.A).
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/superblock.h"

#include <fmt/format.h>

namespace sluice::hdf5 {
namespace {

Result<Superblock> parse(Bytes bytes, std::uint64_t at) {
    Cursor c(bytes);
    c.take(8);
    Superblock sb;
    unsigned const version = c.byte();
    if (version > 3)
        return Error{Code::unsupported, fmt::format("superblock version {}", version), {}, at};
    if (version <= 1) {
        c.take(4);
        sb.address_bytes = c.byte();
        sb.length_bytes = c.byte();
        c.take(version == 0 ? 9 : 13);
    } else {
        sb.address_bytes = c.byte();
        sb.length_bytes = c.byte();
        c.take(1);
    }
    auto const wide = [](unsigned n) { return n < 1 || n > 8; };
    if (wide(sb.address_bytes) || wide(sb.length_bytes))
        return Error{Code::unsupported,
                     fmt::format("addresses of {} and lengths of {} bytes", sb.address_bytes,
                                 sb.length_bytes),
                     {},
                     at};
    sb.base = c.number(sb.address_bytes);
    c.take(sb.address_bytes);
    sb.end = c.number(sb.address_bytes);
    if (!c.ok()) return Error{Code::truncated, "the superblock is cut off", {}, at};
    return sb;
}

}  // namespace

Result<Superblock> read_superblock(ReadAt const& in) {
    constexpr std::uint64_t longest = 56;
    for (std::uint64_t at = 0; at < in.size(); at = at == 0 ? 512 : at * 2) {
        std::vector<std::byte> head(static_cast<std::size_t>(std::min(longest, in.size() - at)));
        SLUICE_CHECK(in.read(at, head));
        if (Cursor(head).literal("\x89HDF\r\n\x1a\n")) return parse(head, at);
    }
    return Error{Code::corrupt, "has no HDF5 signature; is it an HDF5 file?"};
}

Result<std::vector<std::byte>> read_block(ReadAt const& in, Superblock const& sb,
                                          std::uint64_t address, std::uint64_t size) {
    std::uint64_t const at = address + sb.base;
    if (at < address || at > in.size() || size > in.size() - at)
        return Error{Code::truncated,
                     fmt::format("{} bytes of the chunk index lie beyond the end of the file ({} "
                                 "bytes); copy the file again",
                                 size, in.size()),
                     {},
                     at};
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    SLUICE_CHECK(in.read(at, bytes));
    return bytes;
}

}  // namespace sluice::hdf5
