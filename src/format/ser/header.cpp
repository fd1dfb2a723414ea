// The header of a series, the offsets of its elements, and an element's header.
// Source: TIA's own description of its files, as openNCEM's documentation has it.
// SPDX-License-Identifier: Apache-2.0
#include "format/ser/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/bytes.h"

namespace sluice::ser {
namespace {

constexpr std::uint16_t byte_order = 0x4949, series_id = 0x0197, wide_offsets = 0x0220;
constexpr std::uint32_t spectra = 0x4120, images = 0x4122;
constexpr std::uint32_t most_elements = 1 << 26, most_dimensions = 8, most_text = 1 << 16;

/// Little-endian numbers, one after the other.
class Reader {
  public:
    Reader(Source const& file, std::uint64_t at) : file_(file), at_(at) {}
    std::uint64_t at() const { return at_; }
    template <class T>
    Result<T> number() {
        std::array<std::byte, sizeof(T)> bytes{};
        SLUICE_CHECK(file_.read(at_, bytes));
        at_ += sizeof(T);
        return load_le<T>(bytes.data());
    }
    Result<double> real() {
        SLUICE_TRY(auto const bits, number<std::uint64_t>());
        return std::bit_cast<double>(bits);
    }
    Result<std::string> text() {
        SLUICE_TRY(auto const n, number<std::uint32_t>());
        if (n > most_text || n > file_.size()) return wrong(fmt::format("a text of {} bytes", n));
        std::string s(n, '\0');
        SLUICE_CHECK(file_.read(at_, std::as_writable_bytes(std::span(s))));
        at_ += n;
        return s;
    }
    Error wrong(std::string what) const {
        return {Code::corrupt, std::move(what) + "; the file is damaged", file_.name(), at_};
    }

  private:
    Source const& file_;
    std::uint64_t at_;
};

Status read_dimension(Reader& r, Header& h) {
    SLUICE_TRY(auto const size, r.number<std::uint32_t>());
    SLUICE_CHECK(r.real());  // where it begins
    SLUICE_TRY(double const step, r.real());
    SLUICE_CHECK(r.number<std::uint32_t>());
    SLUICE_CHECK(r.text());
    SLUICE_TRY(std::string const units, r.text());
    if (size < 1) return r.wrong("a dimension without elements");
    if (h.dimensions.empty() && units.starts_with("m") && std::isfinite(step))
        h.step_m = std::abs(step);
    h.dimensions.push_back(index{size});
    return {};
}

Status read_offsets(Source const& file, std::uint64_t at, bool wide, Header& h) {
    std::size_t const each = wide ? 8 : 4;
    if (at > file.size() || (file.size() - at) / each < static_cast<std::uint64_t>(h.elements))
        return Error{Code::truncated,
                     "the file ends within the offsets of its elements; copy it again", file.name(),
                     file.size()};
    std::vector<std::byte> bytes(static_cast<std::size_t>(h.elements) * each);
    SLUICE_CHECK(file.read(at, bytes));
    for (std::size_t i = 0; i < bytes.size(); i += each)
        h.offsets.push_back(wide ? load_le<std::uint64_t>(&bytes[i])
                                 : load_le<std::uint32_t>(&bytes[i]));
    return {};
}

std::optional<StoredType> type_of(int code) {
    using Kind = StoredType::Kind;
    constexpr std::array types{StoredType{Kind::unsigned_int, 1}, StoredType{Kind::unsigned_int, 2},
                               StoredType{Kind::unsigned_int, 4}, StoredType{Kind::signed_int, 1},
                               StoredType{Kind::signed_int, 2},   StoredType{Kind::signed_int, 4},
                               StoredType{Kind::floating, 4},     StoredType{Kind::floating, 8}};
    if (code < 1 || code > static_cast<int>(types.size())) return {};
    return types[static_cast<std::size_t>(code - 1)];
}

}  // namespace

Result<Header> read_header(Source const& file) {
    Reader r(file, 0);
    SLUICE_TRY(auto const order, r.number<std::uint16_t>());
    SLUICE_TRY(auto const id, r.number<std::uint16_t>());
    SLUICE_TRY(auto const version, r.number<std::uint16_t>());
    SLUICE_TRY(auto const kind, r.number<std::uint32_t>());
    if (order != byte_order || id != series_id || (kind != spectra && kind != images))
        return r.wrong(fmt::format("a series of kind {:#x} (images and spectra are read)", kind));
    Header h{.images = kind == images};
    SLUICE_CHECK(r.number<std::uint32_t>());  // what the tags of elements hold
    SLUICE_CHECK(r.number<std::uint32_t>());  // elements that were planned
    SLUICE_TRY(auto const valid, r.number<std::uint32_t>());
    if (valid < 1 || valid > most_elements) return r.wrong(fmt::format("{} elements", valid));
    h.elements = index{valid};
    std::uint64_t offsets_at = 0;
    bool const wide = version >= wide_offsets;
    if (wide) {
        SLUICE_TRY(offsets_at, r.number<std::uint64_t>());
    } else {
        SLUICE_TRY(offsets_at, r.number<std::uint32_t>());
    }
    SLUICE_TRY(auto const dimensions, r.number<std::uint32_t>());
    if (dimensions > most_dimensions) return r.wrong(fmt::format("{} dimensions", dimensions));
    for (std::uint32_t i = 0; i < dimensions; ++i) SLUICE_CHECK(read_dimension(r, h));
    SLUICE_CHECK(read_offsets(file, offsets_at, wide, h));
    return h;
}

Result<Element> read_element(Source const& file, Header const& h, std::size_t number) {
    Reader r(file, h.offsets[number]);
    Element e;
    for (int side = 0; side < (h.images ? 2 : 1); ++side) {
        SLUICE_CHECK(r.real());
        SLUICE_TRY(double const step, r.real());
        SLUICE_CHECK(r.number<std::uint32_t>());
        if (side == 0 && std::isfinite(step)) e.step = std::abs(step);
    }
    SLUICE_TRY(auto const code, r.number<std::uint16_t>());
    SLUICE_TRY(auto const cols, r.number<std::uint32_t>());
    e.cols = index{cols};
    if (h.images) {
        SLUICE_TRY(auto const rows, r.number<std::uint32_t>());
        e.rows = index{rows};
    }
    auto const type = type_of(code);
    if (!type)
        return Error{
            Code::unsupported,
            fmt::format("elements of type {} (1 to 8 are read: whole and real numbers)", code),
            file.name(), h.offsets[number]};
    e.stored = *type;
    e.header_bytes = r.at() - h.offsets[number];
    return e;
}

}  // namespace sluice::ser
