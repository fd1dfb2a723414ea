// Zlib streams, by zlib.
// SPDX-License-Identifier: Apache-2.0
#include "codec/deflate/deflate.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace sluice::codec {
namespace {

// zlib's words for "zlib only" and for "zlib or gzip".
constexpr int zlib_only = 15, either = 15 + 32;

Result<std::size_t> inflate_as(int kind, Bytes stream, std::span<std::byte> out) {
    constexpr std::size_t limit = std::numeric_limits<uInt>::max();
    if (stream.size() > limit || out.size() > limit)
        return Error{Code::unsupported, "a deflated chunk of over 4 GiB"};
    z_stream z{};
    if (inflateInit2(&z, kind) != Z_OK) return Error{Code::out_of_memory, "zlib got no memory"};
    // zlib's interface is older than const.
    z.next_in = const_cast<Bytef*>(reinterpret_cast<Bytef const*>(stream.data()));
    z.avail_in = static_cast<uInt>(stream.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    int const end = inflate(&z, Z_FINISH);
    std::size_t const written = out.size() - z.avail_out;
    bool const full = z.avail_out == 0;
    std::string const why = z.msg != nullptr ? z.msg : full ? "it holds more" : "it is cut off";
    inflateEnd(&z);
    if (end == Z_STREAM_END) return written;
    return Error{Code::corrupt,
                 fmt::format("not a valid deflate stream of {} bytes ({}); the file is damaged",
                             out.size(), why)};
}

}  // namespace

Result<std::size_t> inflate_zlib(Bytes stream, std::span<std::byte> out) {
    return inflate_as(zlib_only, stream, out);
}

Result<std::size_t> inflate_any(Bytes stream, std::span<std::byte> out) {
    return inflate_as(either, stream, out);
}

Result<std::size_t> inflate_raw(Bytes stream, std::span<std::byte> out) {
    constexpr std::size_t limit = std::numeric_limits<uInt>::max();
    z_stream z{};
    if (inflateInit2(&z, -15) != Z_OK) return Error{Code::out_of_memory, "zlib got no memory"};
    std::size_t taken = 0, written = 0;
    int end = Z_OK;
    while (end == Z_OK) {
        std::size_t const in = std::min(limit, stream.size() - taken);
        std::size_t const room = std::min(limit, out.size() - written);
        z.next_in = const_cast<Bytef*>(reinterpret_cast<Bytef const*>(stream.data() + taken));
        z.avail_in = static_cast<uInt>(in);
        z.next_out = reinterpret_cast<Bytef*>(out.data() + written);
        z.avail_out = static_cast<uInt>(room);
        end = inflate(&z, Z_NO_FLUSH);
        taken += in - z.avail_in;
        written += room - z.avail_out;
        // Z_BUF_ERROR follows where nothing moves any more.
    }
    inflateEnd(&z);
    if (end == Z_STREAM_END) return written;
    return Error{Code::corrupt, "not a valid deflate stream; the file is damaged"};
}

std::size_t inflate_begin(Bytes stream, std::span<std::byte> out) {
    constexpr std::size_t limit = std::numeric_limits<uInt>::max();
    z_stream z{};
    if (inflateInit2(&z, zlib_only) != Z_OK) return 0;
    z.next_in = const_cast<Bytef*>(reinterpret_cast<Bytef const*>(stream.data()));
    z.avail_in = static_cast<uInt>(std::min(limit, stream.size()));
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(std::min(limit, out.size()));
    std::size_t const room = z.avail_out;
    int const end = inflate(&z, Z_SYNC_FLUSH);
    std::size_t const written = room - z.avail_out;
    inflateEnd(&z);
    return end == Z_OK || end == Z_STREAM_END || end == Z_BUF_ERROR ? written : 0;
}

}  // namespace sluice::codec
