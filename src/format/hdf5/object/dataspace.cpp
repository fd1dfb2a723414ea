// Dataspace, filter pipeline and fill value messages.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "format/hdf5/object/dataset.h"
#include "format/hdf5/object/fill.h"

namespace sluice::hdf5::object {
namespace {

constexpr unsigned most_dimensions = 32;
constexpr unsigned most_filters = 32;
constexpr std::uint64_t most_values = 4096;

Filter parse_filter(Cursor& c, unsigned version) {
    Filter f;
    f.id = static_cast<int>(c.number(2));
    // From version 2 on the filters of the library itself have no names.
    bool const named = version == 1 || f.id >= 256;
    std::uint64_t const length = named ? c.number(2) : 0;
    c.take(2);
    std::uint64_t const values = c.number(2);
    f.name = until_zero(c.take(length));
    for (std::uint64_t i = 0; i < std::min(values, most_values) && c.ok(); ++i)
        f.values.push_back(static_cast<unsigned>(c.number(4)));
    if (version == 1 && values % 2 == 1) c.take(4);
    return f;
}

}  // namespace

std::optional<std::uint64_t> Dataspace::count() const {
    if (null) return 0;
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    std::uint64_t n = 1;
    for (std::uint64_t e : extent) {
        if (e == 0) return 0;
        if (n > most / e) return {};
        n *= e;
    }
    return n;
}

Result<Dataspace> parse_dataspace(Source const& source, Bytes bytes, std::uint64_t address) {
    Cursor c(bytes);
    unsigned const version = c.byte(), rank = c.byte(), flags = c.byte();
    if (version != 1 && version != 2)
        return source.corrupt(fmt::format("a shape has version {} (1 and 2 are known)", version),
                              address);
    constexpr unsigned simple = 1, null = 2;
    unsigned const kind = version == 2 ? c.byte() : rank > 0 ? simple : 0;
    if (version == 1) c.take(5);
    Dataspace d;
    d.null = kind == null;
    if (rank > most_dimensions || kind > null || (rank > 0) != (kind == simple && rank > 0))
        return source.corrupt(fmt::format("a shape has {} dimensions", rank), address);
    for (unsigned i = 0; i < rank; ++i) d.extent.push_back(take_length(c, source));
    d.max = d.extent;
    if ((flags & 1) != 0)
        for (std::uint64_t& m : d.max) {
            m = take_length(c, source);
            // As wide as a length may be.
            if (source.length_bytes() < 8 && m + 1 == std::uint64_t{1} << 8 * source.length_bytes())
                m = ~std::uint64_t{0};
        }
    if (!c.ok()) return source.corrupt("a shape is cut off", address);
    for (unsigned i = 0; i < rank; ++i)
        if (d.extent[i] > d.max[i])
            return source.corrupt("a shape is larger than it may ever be", address);
    return d;
}

Result<std::vector<Filter>> parse_filters(Source const& source, Bytes bytes,
                                          std::uint64_t address) {
    Cursor c(bytes);
    unsigned const version = c.byte(), count = c.byte();
    if ((version != 1 && version != 2) || count > most_filters)
        return source.corrupt("a list of filters is damaged", address);
    if (version == 1) c.take(6);
    std::vector<Filter> filters;
    for (unsigned i = 0; i < count && c.ok(); ++i) {
        filters.push_back(parse_filter(c, version));
        // The padding behind the last one may be left out.
        if (!c.ok() && filters.back().values.empty()) break;
    }
    if (!c.ok()) return source.corrupt("a list of filters is cut off", address);
    return filters;
}

Result<std::vector<std::byte>> parse_fill(Source const& source, MessageType type, Bytes bytes,
                                          std::uint64_t address) {
    Cursor c(bytes);
    bool defined = true;
    if (type == MessageType::fill) {
        unsigned const version = c.byte();
        if (version < 1 || version > 3) return source.corrupt("a fill value is damaged", address);
        if (version == 3) {
            defined = (c.byte() & 0x20) != 0;
        } else {
            c.take(2);
            defined = c.byte() != 0 || version == 1;
        }
    }
    std::uint64_t const size = defined ? c.number(4) : 0;
    Bytes const value = c.take(size);
    if (!c.ok()) return source.corrupt("a fill value is cut off", address);
    return std::vector(value.begin(), value.end());
}

}  // namespace sluice::hdf5::object
