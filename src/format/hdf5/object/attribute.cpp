// Attribute messages, versions 1 to 3, compact and dense (specification 3.0, IV.A.2.m and v).
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/attribute.h"

#include <fmt/format.h>

#include "format/hdf5/checksum.h"
#include "format/hdf5/object/btree2.h"
#include "format/hdf5/object/fractal_heap.h"

namespace sluice::hdf5::object {
namespace {

using OnAttribute = std::function<Result<bool>(Attribute)>;
using Wanted = std::optional<std::string_view>;

/// A type or shape inside an attribute, or what it shares with others.
Result<std::vector<std::byte>> part(Source const& source, MessageType type, Bytes bytes,
                                    bool shared, std::uint64_t address) {
    if (shared) return shared_body(source, type, bytes, address);
    return std::vector(bytes.begin(), bytes.end());
}

/// Nothing if it is another than `wanted`, which is then not parsed further.
Result<std::optional<Attribute>> parse_attribute(Source const& source, Bytes bytes, Wanted wanted,
                                                 std::uint64_t address) {
    Cursor c(bytes);
    unsigned const version = c.byte(), flags = c.byte();
    std::uint64_t const name_bytes = c.number(2), type_bytes = c.number(2);
    std::uint64_t const space_bytes = c.number(2);
    if (version < 1 || version > 3) return source.corrupt("an attribute is damaged", address);
    if (version == 3) c.take(1);
    auto const take = [&](std::uint64_t n) {
        Bytes const field = c.take(n);
        // Version 1 fills up to multiples of 8 bytes.
        if (version == 1) c.take((8 - n % 8) % 8);
        return field;
    };
    Attribute a{until_zero(take(name_bytes))};
    Bytes const type = take(type_bytes), space = take(space_bytes);
    if (!c.ok()) return source.corrupt("an attribute is cut off", address);
    if (wanted && a.name != *wanted) return std::optional<Attribute>{};
    bool const shares = version > 1;
    SLUICE_TRY(auto const type_body,
               part(source, MessageType::datatype, type, shares && (flags & 1) != 0, address));
    SLUICE_TRY(auto const space_body,
               part(source, MessageType::dataspace, space, shares && (flags & 2) != 0, address));
    SLUICE_TRY(a.value.type, parse_datatype(source, type_body, address));
    SLUICE_TRY(a.value.space, parse_dataspace(source, space_body, address));
    auto const count = a.value.space.count();
    if (!count || (*count > 0 && a.value.type.size > c.rest().size() / *count))
        return source.corrupt(
            fmt::format("the attribute {} is shorter than its shape says", a.name), address);
    Bytes const data = c.take(*count * a.value.type.size);
    a.value.bytes.assign(data.begin(), data.end());
    return std::optional(std::move(a));
}

/// Attributes in a heap, found by an index of the hashes of their names.
Status visit_dense(Source const& source, Message const& info, Wanted wanted,
                   OnAttribute const& visit) {
    Cursor c(info.body);
    bool const ok = c.byte() == 0;
    constexpr unsigned creation_order = 1;
    if ((c.byte() & creation_order) != 0) c.take(2);
    std::uint64_t const heap_at = take_address(c, source), names = take_address(c, source);
    if (!ok || !c.ok())
        return source.corrupt("an object's message about its attributes is wrong", info.address);
    if (!source.defined(heap_at)) return {};
    SLUICE_TRY(FractalHeap heap, FractalHeap::open(source, heap_at));
    constexpr std::uint64_t id_bytes = 8, hash_at = 13;
    auto const on_record = [&](Bytes record) -> Result<bool> {
        constexpr unsigned shared = 2;
        Bytes const id = record.first(id_bytes);
        bool const elsewhere = (std::to_integer<unsigned>(record[id_bytes]) & shared) != 0;
        std::vector<std::byte> bytes;
        if (elsewhere) {
            // As a shared message of version 3, which is in the file's heap.
            std::vector<std::byte> reference{std::byte{3}, std::byte{1}};
            reference.insert(reference.end(), id.begin(), id.end());
            SLUICE_TRY(bytes, shared_body(source, MessageType::attribute, reference, heap_at));
        } else {
            SLUICE_TRY(bytes, heap.object(id));
        }
        SLUICE_TRY(auto a, parse_attribute(source, bytes, wanted, heap_at));
        return a ? visit(*std::move(a)) : Result<bool>(true);
    };
    Place place;
    if (wanted) {
        std::uint32_t const hash = checksum(std::as_bytes(std::span(*wanted)));
        place = [hash](Bytes record) {
            Cursor r(record);
            r.take(hash_at);
            std::uint64_t const h = r.number(4);
            return h < hash ? -1 : h > hash;
        };
    }
    return walk_records(source, names, RecordType::attribute_name, hash_at + 4, on_record, place);
}

Status visit_attributes(Object const& o, Wanted wanted, OnAttribute const& visit) {
    for (Message const& m : o.header().messages()) {
        if (m.type != MessageType::attribute) continue;
        SLUICE_TRY(auto const body, body_of(o.source(), m));
        SLUICE_TRY(auto a, parse_attribute(o.source(), body, wanted, m.address));
        if (!a) continue;
        SLUICE_TRY(bool const more, visit(*std::move(a)));
        if (!more) return {};
    }
    Message const* const info = o.header().find(MessageType::attribute_info);
    return info == nullptr ? Status{} : visit_dense(o.source(), *info, wanted, visit);
}

}  // namespace

Result<std::vector<Attribute>> attributes_of(Object const& object) {
    std::vector<Attribute> all;
    SLUICE_CHECK(visit_attributes(object, {}, [&](Attribute a) -> Result<bool> {
        all.push_back(std::move(a));
        return true;
    }));
    return all;
}

Result<std::optional<Attribute>> attribute_named(Object const& object, std::string_view name) {
    std::optional<Attribute> found;
    SLUICE_CHECK(visit_attributes(object, name, [&](Attribute a) -> Result<bool> {
        found = std::move(a);
        return false;
    }));
    return found;
}

}  // namespace sluice::hdf5::object
