// Entries are of 12 bytes, in BigTIFF of 20; longer values lie elsewhere.
// SPDX-License-Identifier: Apache-2.0
#include "format/tiff/directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/bytes.h"

namespace sluice::tiff {
namespace {

// Real directories have a few dozen entries; values are places of strips, or a text.
constexpr std::uint64_t most_entries = 4096, most_value_bytes = std::uint64_t{64} << 20;

template <class T>
T load_as(bool big_endian, std::byte const* from) {
    return big_endian ? load_be<T>(from) : load_le<T>(from);
}

}  // namespace

Result<Order> read_order(Source const& file) {
    std::array<std::byte, 16> head{};
    std::size_t const size = std::min<std::uint64_t>(file.size(), head.size());
    SLUICE_CHECK(file.read(0, std::span(head).first(size)));
    Order o{.big_endian = head[0] == std::byte{'M'}};
    auto const version = load_as<std::uint16_t>(o.big_endian, &head[2]);
    o.wide = version == 43;
    if (size < (o.wide ? 16u : 8u))
        return Error{Code::truncated, "the file ends within its header; copy it again", file.name(),
                     file.size()};
    bool const known = (version == 42 || version == 43) && head[0] == head[1] &&
                       (head[0] == std::byte{'I'} || head[0] == std::byte{'M'});
    if (!known || (o.wide && load_as<std::uint16_t>(o.big_endian, &head[4]) != 8))
        return Error{Code::corrupt, "is no TIFF file", file.name(), 0};
    o.first = o.wide ? load_as<std::uint64_t>(o.big_endian, &head[8])
                     : load_as<std::uint32_t>(o.big_endian, &head[4]);
    return o;
}

template <class T>
T Directory::load(std::byte const* from) const {
    return load_as<T>(order_.big_endian, from);
}

std::uint64_t Directory::load_place(std::byte const* from) const {
    return order_.wide ? load<std::uint64_t>(from) : load<std::uint32_t>(from);
}

Error Directory::wrong(std::string what) const {
    return {Code::corrupt, std::move(what) + "; the file is damaged", file_->name(), at_};
}

Result<Directory> Directory::read(Source const& file, Order order, std::uint64_t at) {
    Directory d(file, order, at);
    std::size_t const place = order.wide ? 8 : 4, entry = 4 + 2 * place;
    std::size_t const count_bytes = order.wide ? 8 : 2;
    std::array<std::byte, 8> head{};
    SLUICE_CHECK(file.read(at, std::span(head).first(count_bytes)));
    std::uint64_t const count =
        order.wide ? d.load<std::uint64_t>(head.data()) : d.load<std::uint16_t>(head.data());
    if (count < 1 || count > most_entries)
        return d.wrong(fmt::format("a page of {} entries", count));
    std::vector<std::byte> bytes(static_cast<std::size_t>(count) * entry + place);
    SLUICE_CHECK(file.read(at + count_bytes, bytes));
    for (std::size_t i = 0; i < count; ++i) {
        std::byte const* const from = &bytes[i * entry];
        Entry e{.tag = d.load<std::uint16_t>(from),
                .type = d.load<std::uint16_t>(from + 2),
                .count = d.load_place(from + 4)};
        std::memcpy(e.value.data(), from + 4 + place, place);
        d.entries_.push_back(e);
    }
    d.next_ = d.load_place(&bytes[static_cast<std::size_t>(count) * entry]);
    return d;
}

Directory::Entry const* Directory::find(Tag tag) const {
    auto const e = std::ranges::find(entries_, static_cast<std::uint16_t>(tag), &Entry::tag);
    return e == entries_.end() ? nullptr : &*e;
}

Result<std::vector<std::byte>> Directory::bytes_of(Entry const& e, std::size_t each) const {
    if (e.count > std::min(most_value_bytes, file_->size()) / each)
        return wrong(fmt::format("entry {} of {} values", e.tag, e.count));
    std::vector<std::byte> bytes(static_cast<std::size_t>(e.count) * each);
    if (bytes.size() <= (order_.wide ? 8u : 4u))
        std::copy_n(e.value.begin(), bytes.size(), bytes.begin());
    else
        SLUICE_CHECK(file_->read(load_place(e.value.data()), bytes));
    return bytes;
}

Result<std::vector<std::uint64_t>> Directory::numbers(Tag tag) const {
    std::vector<std::uint64_t> all;
    Entry const* const e = find(tag);
    if (!e) return all;
    // BYTE, SHORT, LONG, and LONG8 of BigTIFF; IFD and IFD8 are places, as LONG and LONG8.
    std::size_t const each = e->type == 1                     ? 1
                             : e->type == 3                   ? 2
                             : e->type == 4 || e->type == 13  ? 4
                             : e->type == 16 || e->type == 18 ? 8
                                                              : 0;
    if (each == 0) return wrong(fmt::format("entry {} of type {}", e->tag, e->type));
    SLUICE_TRY(auto const bytes, bytes_of(*e, each));
    all.reserve(bytes.size() / each);
    for (std::size_t i = 0; i < bytes.size(); i += each)
        all.push_back(each == 1   ? std::to_integer<std::uint64_t>(bytes[i])
                      : each == 2 ? load<std::uint16_t>(&bytes[i])
                      : each == 4 ? load<std::uint32_t>(&bytes[i])
                                  : load<std::uint64_t>(&bytes[i]));
    return all;
}

Result<std::uint64_t> Directory::number(Tag tag, std::uint64_t usual) const {
    SLUICE_TRY(auto const all, numbers(tag));
    return all.empty() ? usual : all.front();
}

Result<std::string> Directory::text(Tag tag) const {
    Entry const* const e = find(tag);
    if (!e || e->type != 2) return std::string();
    SLUICE_TRY(auto const bytes, bytes_of(*e, 1));
    std::string s(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    s.resize(std::min(s.find('\0'), s.size()));
    return s;
}

}  // namespace sluice::tiff
