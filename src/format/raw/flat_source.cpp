// Positioned reads of whole runs of frames, converted where memory holds another type.
// SPDX-License-Identifier: Apache-2.0
#include "format/raw/flat_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"

namespace sluice {
namespace {

using Kind = StoredType::Kind;

template <class Stored, class Memory>
void convert(Bytes in, std::byte* out, bool big_endian) {
    using Bits = std::conditional_t<
        sizeof(Stored) == 8, std::uint64_t,
        std::conditional_t<sizeof(Stored) == 4, std::uint32_t,
                           std::conditional_t<sizeof(Stored) == 2, std::uint16_t, std::uint8_t>>>;
    for (std::size_t i = 0; i * sizeof(Stored) < in.size(); ++i) {
        std::byte const* p = in.data() + i * sizeof(Stored);
        Bits const bits = big_endian ? load_be<Bits>(p) : load_le<Bits>(p);
        auto const value = static_cast<Memory>(std::bit_cast<Stored>(bits));
        std::memcpy(out + i * sizeof(Memory), &value, sizeof(Memory));
    }
}

template <class Signed, class Unsigned, class Floating>
void convert_sized(StoredType s, Bytes in, std::byte* out) {
    if (s.kind == Kind::floating) return convert<Floating, float>(in, out, s.big_endian);
    if (s.kind == Kind::signed_int) return convert<Signed, float>(in, out, s.big_endian);
    if constexpr (sizeof(Unsigned) == 8)
        return convert<Unsigned, float>(in, out, s.big_endian);
    else
        return convert<Unsigned, Unsigned>(in, out, s.big_endian);
}

void convert_frame(StoredType s, Bytes in, std::byte* out) {
    switch (s.bytes) {
        case 1:
            return convert_sized<std::int8_t, std::uint8_t, std::uint8_t>(s, in, out);
        case 2:
            return convert_sized<std::int16_t, std::uint16_t, std::uint16_t>(s, in, out);
        case 4:
            return convert_sized<std::int32_t, std::uint32_t, float>(s, in, out);
        default:
            return convert_sized<std::int64_t, std::uint64_t, double>(s, in, out);
    }
}

bool as_stored(StoredType s) {
    bool const swapped = s.big_endian && s.bytes > 1;
    if (s.kind == Kind::floating) return s.bytes == 4 && !swapped;
    return s.kind == Kind::unsigned_int && s.bytes <= 4 && !swapped;
}

}  // namespace

DType read_as(StoredType s) {
    if (s.kind != Kind::unsigned_int || s.bytes > 4) return DType::f32;
    return s.bytes == 1 ? DType::u8 : s.bytes == 2 ? DType::u16 : DType::u32;
}

std::string conversion_note(StoredType s) {
    if (as_stored(s)) return {};
    std::string_view const kind = s.kind == Kind::floating     ? "float"
                                  : s.kind == Kind::signed_int ? "int"
                                                               : "uint";
    bool const rounds = s.bytes == 8 || (s.kind == Kind::signed_int && s.bytes == 4);
    return fmt::format("the file's {}{}{} values are read as {}{}",
                       s.big_endian && s.bytes > 1 ? "big-endian " : "", kind, 8 * s.bytes,
                       name_of(read_as(s)), rounds ? ", rounded to 24 bits" : "");
}

FlatSource::FlatSource(File file, FlatLayout const& layout)
    : file_(std::move(file)), layout_(layout) {
    expects(layout.present == 0 ||
            (file_.size() >= layout.offset &&
             (file_.size() - layout.offset) / static_cast<std::uint64_t>(layout.present) >=
                 layout.frame_bytes()));
}

Status FlatSource::fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const {
    expects(first >= 0);
    auto const wanted = static_cast<index>(out.size());
    auto const here =
        static_cast<std::size_t>(std::clamp<index>(layout_.present - first, 0, wanted));
    std::size_t const stored = layout_.frame_bytes();
    auto const read = static_cast<std::size_t>(layout_.pixels * size_of(read_as(layout_.stored)));
    bool const direct = as_stored(layout_.stored);
    std::size_t const raw_at = direct ? 0 : here * read;
    scratch.bytes.resize(raw_at + here * stored);
    std::span<std::byte> const raw = std::span(scratch.bytes).subspan(raw_at);
    std::uint64_t const at = layout_.offset + static_cast<std::uint64_t>(first) * stored;
    if (here > 0) SLUICE_CHECK(file_.read(at, raw));
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (i >= here) {
            out[i] = {};
            continue;
        }
        std::byte* const values = scratch.bytes.data() + i * read;
        if (!direct) convert_frame(layout_.stored, raw.subspan(i * stored, stored), values);
        out[i] = {.encoding = Encoding::values,
                  .bytes = Bytes(values, read),
                  .at = at + i * stored,
                  .file = &file_.path()};
    }
    return {};
}

std::uint64_t FlatSource::stored_bytes() const {
    return static_cast<std::uint64_t>(layout_.present) * layout_.frame_bytes();
}

}  // namespace sluice
