// Putting together what a dataset's header says.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/dataset.h"

#include <fmt/format.h>

#include "format/hdf5/object/fill.h"

namespace sluice::hdf5::object {
namespace {

/// Parses the message of a type, which must be there.
template <class T>
Result<T> required(Object const& o, MessageType type,
                   Result<T> (*parse)(Source const&, Bytes, std::uint64_t)) {
    Message const* const m = o.header().find(type);
    if (m == nullptr)
        return o.source().corrupt(fmt::format("{} is not a dataset", o.path()), o.address());
    SLUICE_TRY(auto const body, body_of(o.source(), *m));
    return parse(o.source(), Bytes(body), m->address);
}

Result<std::vector<std::byte>> fill_of(Object const& o) {
    for (MessageType const type : {MessageType::fill, MessageType::old_fill}) {
        Message const* const m = o.header().find(type);
        if (m == nullptr) continue;
        SLUICE_TRY(auto const body, body_of(o.source(), *m));
        return parse_fill(o.source(), type, body, m->address);
    }
    return std::vector<std::byte>{};
}

/// What the messages say of each other.
Status check(Object const& o, DatasetInfo const& d) {
    auto const damaged = [&](std::string_view what) {
        return o.source().corrupt(fmt::format("the dataset {} {}", o.path(), what), o.address());
    };
    if (!d.fill.empty() && d.type.numeric() && d.fill.size() != d.type.size)
        return damaged("has a fill value of another size than its elements");
    auto const count = d.space.count();
    if (!count) return damaged("has over 2^62 elements");
    if (*count != 0 && d.type.size > (std::uint64_t{1} << 62) / *count)
        return damaged("has over 2^62 bytes");
    std::uint64_t const bytes = *count * d.type.size;
    if (d.layout.kind == LayoutClass::compact && d.layout.compact.size() < bytes)
        return damaged("holds fewer bytes than its shape says");
    if (d.layout.kind == LayoutClass::contiguous && o.source().defined(d.layout.address) &&
        d.layout.bytes < bytes && !d.external)
        return damaged("holds fewer bytes than its shape says");
    if (d.layout.kind != LayoutClass::chunked) return {};
    if (d.layout.chunks.chunk.size() != d.space.extent.size())
        return damaged("has chunks of other dimensions than its shape");
    if (d.layout.element_bytes != d.type.size)
        return damaged("has chunks of elements of another size than its own");
    for (std::size_t i = 0; i < d.space.max.size(); ++i)
        if (d.layout.chunks.chunk[i] > d.space.max[i])
            return damaged("has chunks that are larger than it may ever be");
    return {};
}

}  // namespace

Result<DatasetInfo> dataset_info(Object const& o) {
    DatasetInfo d;
    SLUICE_TRY(d.type, required(o, MessageType::datatype, parse_datatype));
    SLUICE_TRY(d.space, required(o, MessageType::dataspace, parse_dataspace));
    SLUICE_TRY(d.layout, required(o, MessageType::layout, parse_layout));
    if (o.header().find(MessageType::filters) != nullptr) {
        SLUICE_TRY(d.filters, required(o, MessageType::filters, parse_filters));
    }
    d.external = o.header().find(MessageType::external_files) != nullptr;
    SLUICE_TRY(d.fill, fill_of(o));
    SLUICE_CHECK(check(o, d));
    return d;
}

}  // namespace sluice::hdf5::object
