// Superblock versions 0 to 3 (HDF5 File Format Specification 3.0, section II.A).
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/superblock.h"

#include <fmt/format.h>

#include <array>

#include "format/hdf5/checksum.h"

namespace sluice::hdf5 {
namespace {

constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
constexpr std::uint64_t longest = 100;

Status check_widths(Superblock const& sb, Cursor const& c, std::uint64_t at) {
    if (!c.ok()) return {};
    auto const wide = [](unsigned n) { return n < 1 || n > 8; };
    if (!wide(sb.address_bytes) && !wide(sb.length_bytes)) return {};
    return Error{Code::unsupported,
                 fmt::format("addresses of {} and lengths of {} bytes (1 to 8 are read); if it "
                             "opens elsewhere, rewrite it with h5repack",
                             sb.address_bytes, sb.length_bytes),
                 {},
                 at};
}

/// Versions 0 and 1, after the version: the root group is a symbol table entry.
Status parse_old(Cursor& c, unsigned version, Superblock& sb, std::uint64_t at) {
    c.take(4);
    sb.address_bytes = c.byte();
    sb.length_bytes = c.byte();
    SLUICE_CHECK(check_widths(sb, c, at));
    c.take(version == 0 ? 9 : 13);
    sb.base = c.number(sb.address_bytes);
    c.take(sb.address_bytes);
    sb.end = c.number(sb.address_bytes);
    sb.driver = c.number(sb.address_bytes);
    c.take(sb.length_bytes);
    sb.root = c.number(sb.address_bytes);
    sb.extension = sb.undefined();
    return {};
}

/// Versions 2 and 3, after the version.
Status parse_new(Bytes head, Cursor& c, unsigned version, Superblock& sb, std::uint64_t at) {
    sb.address_bytes = c.byte();
    sb.length_bytes = c.byte();
    SLUICE_CHECK(check_widths(sb, c, at));
    unsigned const flags = c.byte();
    constexpr unsigned open_for_writing = 1, open_for_swmr = 4;
    sb.being_written = version == 3 && (flags & (open_for_writing | open_for_swmr)) != 0;
    sb.base = c.number(sb.address_bytes);
    sb.extension = c.number(sb.address_bytes);
    sb.end = c.number(sb.address_bytes);
    sb.root = c.number(sb.address_bytes);
    sb.driver = sb.undefined();
    std::size_t const size = 12 + 4 * std::size_t{sb.address_bytes};
    c.take(4);
    if (c.ok() && !checksum_holds(head.first(size + 4)))
        return Error{Code::corrupt,
                     "the superblock does not have its checksum (its bytes are damaged); copy the "
                     "file again",
                     {},
                     at};
    return {};
}

Result<Superblock> parse(Bytes head, std::uint64_t at, std::uint64_t file_bytes) {
    Cursor c(head);
    c.take(signature.size());
    Superblock sb;
    unsigned const version = c.byte();
    if (c.ok() && version > 3)
        return Error{Code::unsupported,
                     fmt::format("superblock version {} (0 to 3 are read: it is damaged or of a "
                                 "newer HDF5); rewrite it with h5repack --high=v110",
                                 version),
                     {},
                     at};
    SLUICE_CHECK(version <= 1 ? parse_old(c, version, sb, at)
                              : parse_new(head, c, version, sb, at));
    if (!c.ok())
        return Error{Code::truncated,
                     fmt::format("the file is cut off ({} bytes are not even its first block); "
                                 "copy it again",
                                 file_bytes),
                     {},
                     at};
    // Where they differ, somebody put a user block before the file, or took it away.
    if (sb.defined(sb.end)) sb.end = sb.end - sb.base + at;
    sb.base = at;
    return sb;
}

}  // namespace

bool has_signature(ReadAt const& in) {
    std::array<std::byte, signature.size()> mark{};
    for (std::uint64_t at = 0; at < in.size(); at = at == 0 ? 512 : at * 2)
        if (in.read(at, mark) && Cursor(mark).literal(signature)) return true;
    return false;
}

Result<Superblock> read_superblock(ReadAt const& in) {
    for (std::uint64_t at = 0; at < in.size(); at = at == 0 ? 512 : at * 2) {
        std::vector<std::byte> head(static_cast<std::size_t>(std::min(longest, in.size() - at)));
        SLUICE_CHECK(in.read(at, head));
        if (Cursor(head).literal(signature)) return parse(head, at, in.size());
    }
    return Error{Code::corrupt, "has no HDF5 signature; is it an HDF5 file?"};
}

Result<std::vector<std::byte>> read_block(ReadAt const& in, Superblock const& sb,
                                          std::uint64_t address, std::uint64_t size) {
    std::uint64_t const at = address + sb.base;
    if (at < address || at > in.size() || size > in.size() - at)
        return Error{Code::truncated,
                     fmt::format("{} bytes of metadata lie beyond the end of the file ({} "
                                 "bytes); copy the file again",
                                 size, in.size()),
                     {},
                     at};
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    SLUICE_CHECK(in.read(at, bytes));
    return bytes;
}

}  // namespace sluice::hdf5
