// Elements of a file as floats, raw or packed.
// SPDX-License-Identifier: Apache-2.0
#include "format/volume/values.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "base/bytes.h"

namespace sluice::volume {
namespace {

using Kind = StoredType::Kind;
constexpr std::size_t piece = 1 << 16;

template <class Stored, class Bits>
void convert(Bytes in, float* out, bool big_endian) {
    for (std::size_t i = 0; i * sizeof(Stored) < in.size(); ++i) {
        std::byte const* const p = in.data() + i * sizeof(Stored);
        Bits const bits = big_endian ? load_be<Bits>(p) : load_le<Bits>(p);
        out[i] = static_cast<float>(std::bit_cast<Stored>(bits));
    }
}

template <class Signed, class Unsigned>
void convert_integers(Bytes in, StoredType t, float* out) {
    if (t.kind == Kind::signed_int)
        convert<Signed, Unsigned>(in, out, t.big_endian);
    else
        convert<Unsigned, Unsigned>(in, out, t.big_endian);
}

void convert(Bytes in, StoredType t, float* out) {
    if (t.kind == Kind::floating && t.bytes == 8)
        return convert<double, std::uint64_t>(in, out, t.big_endian);
    if (t.kind == Kind::floating) return convert<float, std::uint32_t>(in, out, t.big_endian);
    if (t.bytes == 1) return convert_integers<std::int8_t, std::uint8_t>(in, t, out);
    if (t.bytes == 2) return convert_integers<std::int16_t, std::uint16_t>(in, t, out);
    if (t.bytes == 4) return convert_integers<std::int32_t, std::uint32_t>(in, t, out);
    convert_integers<std::int64_t, std::uint64_t>(in, t, out);
}

/// Unpacks a part of a file piece by piece.
class Inflater {
  public:
    Inflater(File const& file, std::uint64_t at) : file_(file), at_(at), in_(piece) {
        // zlib and gzip, as the stream says.
        expects(inflateInit2(&stream_, 15 + 32) == Z_OK);
    }
    Inflater(Inflater const&) = delete;
    Inflater& operator=(Inflater const&) = delete;
    ~Inflater() { inflateEnd(&stream_); }

    /// Whether the last stream has come to its end, with its checksum.
    bool ended() const { return ended_; }

    /// Fills `out`; the number of bytes is smaller only where the streams end.
    Result<std::size_t> read(std::span<std::byte> out) {
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = static_cast<uInt>(out.size());
        while (stream_.avail_out > 0) {
            if (stream_.avail_in == 0) SLUICE_CHECK(refill());
            if (stream_.avail_in == 0) break;
            // Several streams one after the other are as good as one.
            if (ended_ && inflateReset(&stream_) != Z_OK) return damaged();
            int const code = inflate(&stream_, Z_NO_FLUSH);
            if (code != Z_OK && code != Z_STREAM_END) return damaged();
            ended_ = code == Z_STREAM_END;
        }
        return out.size() - stream_.avail_out;
    }

  private:
    File const& file_;
    std::uint64_t at_;
    std::vector<std::byte> in_;
    z_stream stream_ = {};
    bool ended_ = false;

    Status refill() {
        auto const n = std::min<std::uint64_t>(piece, file_.size() - at_);
        SLUICE_CHECK(file_.read(at_, std::span(in_).first(n)));
        at_ += n;
        stream_.next_in = reinterpret_cast<Bytef*>(in_.data());
        stream_.avail_in = static_cast<uInt>(n);
        return {};
    }
    Error damaged() const {
        return {Code::corrupt,
                fmt::format("the packed elements are damaged ({}); write the image again",
                            stream_.msg ? stream_.msg : "zlib"),
                file_.path(), at_ - stream_.avail_in};
    }
};

}  // namespace

Status read_raw(File const& file, std::uint64_t at, StoredType type, std::span<float> out) {
    auto const bytes = static_cast<std::size_t>(type.bytes);
    std::vector<std::byte> buffer(piece);
    for (std::size_t done = 0; done < out.size();) {
        std::size_t const n = std::min(out.size() - done, piece / bytes);
        auto const part = std::span(buffer).first(n * bytes);
        SLUICE_CHECK(file.read(at + done * bytes, part));
        convert(part, type, out.data() + done);
        done += n;
    }
    return {};
}

Status read_packed(File const& file, std::uint64_t at, StoredType type, std::span<float> out) {
    auto const bytes = static_cast<std::size_t>(type.bytes);
    std::vector<std::byte> buffer(piece);
    Inflater inflater(file, at);
    for (std::size_t done = 0; done < out.size();) {
        std::size_t const n = std::min(out.size() - done, piece / bytes);
        auto const part = std::span(buffer).first(n * bytes);
        SLUICE_TRY(std::size_t const got, inflater.read(part));
        if (got < part.size())
            return Error{Code::truncated,
                         fmt::format("the packed elements end {} bytes short; copy the file again",
                                     (out.size() - done) * bytes - got),
                         file.path(), file.size()};
        convert(part, type, out.data() + done);
        done += n;
    }
    SLUICE_TRY(std::size_t const rest, inflater.read(std::span(buffer).first(1)));
    if (rest > 0)
        return Error{Code::corrupt,
                     "more packed elements than the header says; write the image again",
                     file.path()};
    if (!inflater.ended())
        return Error{Code::truncated,
                     "the packed elements end without their checksum; copy the file again",
                     file.path(), file.size()};
    return {};
}

}  // namespace sluice::volume
