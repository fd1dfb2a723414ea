// Links in messages, in heaps, and the way to those in symbol tables.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/links.h"

#include <fmt/format.h>

#include <algorithm>

#include "format/hdf5/checksum.h"
#include "format/hdf5/object/btree2.h"
#include "format/hdf5/object/fractal_heap.h"

namespace sluice::hdf5::object {
namespace {

std::string text_of(Bytes bytes) {
    std::string s;
    for (std::byte const b : bytes) s.push_back(std::to_integer<char>(b));
    return s;
}

/// Where a group of the new format keeps its links (section IV.A.2.c).
struct LinkInfo {
    std::uint64_t heap = 0, names = 0;
};

Result<std::optional<LinkInfo>> dense_links(Source const& source, Header const& group) {
    Message const* const m = group.find(MessageType::link_info);
    if (m == nullptr) return std::optional<LinkInfo>{};
    Cursor c(m->body);
    bool const ok = c.byte() == 0;
    constexpr unsigned creation_order = 1;
    if ((c.byte() & creation_order) != 0) c.take(8);
    LinkInfo info;
    info.heap = take_address(c, source);
    info.names = take_address(c, source);
    if (!ok || !c.ok())
        return source.corrupt("a group's message about its links is wrong", m->address);
    if (!source.defined(info.heap)) return std::optional<LinkInfo>{};
    return std::optional(info);
}

/// Links in a heap, found by an index of the hashes of their names.
Status visit_dense(Source const& source, LinkInfo info, std::optional<std::string_view> name,
                   OnLink const& visit) {
    SLUICE_TRY(FractalHeap heap, FractalHeap::open(source, info.heap));
    std::uint64_t const id_bytes = heap.id_bytes();
    auto const on_record = [&](Bytes record) -> Result<bool> {
        SLUICE_TRY(auto const bytes, heap.object(record.subspan(4, id_bytes)));
        SLUICE_TRY(Link link, parse_link(source, bytes, info.heap));
        // Two names may have one hash.
        if (name && link.name != *name) return true;
        return visit(std::move(link));
    };
    Place place;
    if (name) {
        std::uint32_t const hash = checksum(std::as_bytes(std::span(*name)));
        place = [hash](Bytes record) {
            std::uint64_t const h = Cursor(record).number(4);
            return h < hash ? -1 : h > hash;
        };
    }
    return walk_records(source, info.names, RecordType::link_name, 4 + id_bytes, on_record, place);
}

Status visit_links(Source const& source, Header const& group, std::optional<std::string_view> name,
                   OnLink const& visit) {
    if (Message const* const table = group.find(MessageType::symbol_table))
        return visit_symbol_table(source, *table, name, visit);
    for (Message const& m : group.messages()) {
        if (m.type != MessageType::link) continue;
        SLUICE_TRY(auto const body, body_of(source, m));
        SLUICE_TRY(Link link, parse_link(source, body, m.address));
        if (name && link.name != *name) continue;
        SLUICE_TRY(bool const more, visit(std::move(link)));
        if (!more) return {};
    }
    SLUICE_TRY(auto const dense, dense_links(source, group));
    return dense ? visit_dense(source, *dense, name, visit) : Status{};
}

/// The value of a link that is not a hard link.
bool parse_value(Link& link, unsigned type, Bytes value) {
    constexpr unsigned soft = 1, external = 64;
    std::string const text = text_of(value);
    if (type == soft) {
        link.kind = LinkKind::soft;
        link.target = text;
        return true;
    }
    link.kind = LinkKind::other;
    if (type != external) return true;
    // A byte of version and flags, then two texts that end in zeros.
    link.kind = LinkKind::external;
    std::size_t const middle = text.find('\0', 1);
    std::size_t const end = middle == std::string::npos ? middle : text.find('\0', middle + 1);
    if (end == std::string::npos) return false;
    link.file = text.substr(1, middle - 1);
    link.target = text.substr(middle + 1, end - middle - 1);
    return true;
}

}  // namespace

Result<Link> parse_link(Source const& source, Bytes bytes, std::uint64_t address) {
    Cursor c(bytes);
    bool ok = c.byte() == 1;
    unsigned const flags = c.byte();
    unsigned const type = (flags & 8) != 0 ? c.byte() : 0;
    if ((flags & 4) != 0) c.take(8);
    if ((flags & 16) != 0) c.take(1);
    std::uint64_t const length = c.number(1u << (flags & 3));
    Link link{text_of(c.take(length)), LinkKind::hard, 0};
    if (type == 0) {
        link.address = take_address(c, source);
    } else {
        std::uint64_t const value = c.number(2);
        ok = ok && parse_value(link, type, c.take(value));
    }
    if (!ok || !c.ok() || link.name.empty())
        return source.corrupt("a link of a group is damaged", address);
    return link;
}

bool is_group(Header const& header) {
    return header.find(MessageType::symbol_table) != nullptr ||
           header.find(MessageType::link_info) != nullptr ||
           header.find(MessageType::link) != nullptr;
}

Result<std::vector<Link>> links_of(Source const& source, Header const& group, std::size_t most) {
    std::vector<Link> links;
    auto const add = [&](Link link) -> Result<bool> {
        if (links.size() >= most)
            return Error{
                Code::unsupported,
                fmt::format("a group has over {} links; name the dataset with --dataset", most),
                source.path()};
        links.push_back(std::move(link));
        return true;
    };
    SLUICE_CHECK(visit_links(source, group, {}, add));
    std::stable_sort(links.begin(), links.end(),
                     [](Link const& a, Link const& b) { return a.name < b.name; });
    return links;
}

Result<std::optional<Link>> link_named(Source const& source, Header const& group,
                                       std::string_view name) {
    std::optional<Link> found;
    auto const take = [&](Link link) -> Result<bool> {
        found = std::move(link);
        return false;
    };
    SLUICE_CHECK(visit_links(source, group, name, take));
    return found;
}

}  // namespace sluice::hdf5::object
