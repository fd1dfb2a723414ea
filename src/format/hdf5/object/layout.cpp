// Data layout messages, versions 1 to 5.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "format/hdf5/object/dataset.h"

namespace sluice::hdf5::object {
namespace {

class LayoutParser {
  public:
    LayoutParser(Source const& source, Bytes bytes, std::uint64_t address)
        : source_(source), c_(bytes), address_(address) {}

    Result<Layout> parse() {
        unsigned const version = c_.byte();
        if (version < 1 || version > 5)
            return source_.unsupported(
                fmt::format("a dataset's layout has version {} (1 to 5 are read: it is damaged or "
                            "of a newer HDF5); rewrite the file with h5repack --high=v110",
                            version),
                address_);
        SLUICE_CHECK(version <= 2 ? parse_old() : parse_new(version));
        if (!c_.ok()) return source_.corrupt("a dataset's layout is cut off", address_);
        return std::move(layout_);
    }

  private:
    Status parse_old() {
        unsigned const rank = c_.byte(), kind = c_.byte();
        c_.take(5);
        SLUICE_CHECK(set_kind(kind, 2));
        if (layout_.kind != LayoutClass::compact) layout_.address = take_address(c_, source_);
        if (layout_.kind == LayoutClass::chunked) {
            layout_.chunks.address = layout_.address;
            return dimensions(rank, 4);
        }
        c_.take(4 * std::uint64_t{rank});
        // What the data need is in the dataspace and the type.
        layout_.bytes = ~std::uint64_t{0};
        if (layout_.kind == LayoutClass::compact) take_compact(c_.number(4));
        return {};
    }

    Status parse_new(unsigned version) {
        SLUICE_CHECK(set_kind(c_.byte(), version == 3 ? 2 : 3));
        switch (layout_.kind) {
            case LayoutClass::compact:
                take_compact(c_.number(2));
                return {};
            case LayoutClass::contiguous:
                layout_.address = take_address(c_, source_);
                layout_.bytes = take_length(c_, source_);
                return {};
            case LayoutClass::mapped:
                layout_.address = take_address(c_, source_);
                layout_.heap_object = c_.number(4);
                return {};
            case LayoutClass::chunked:
                return version == 3 ? chunks_in_btree() : chunks_in_index();
        }
        return {};
    }

    Status set_kind(unsigned kind, unsigned largest) {
        if (kind > largest)
            return source_.corrupt(fmt::format("a dataset's layout has class {}", kind), address_);
        layout_.kind = static_cast<LayoutClass>(kind);
        return {};
    }

    void take_compact(std::uint64_t bytes) {
        Bytes const data = c_.take(bytes);
        layout_.compact.assign(data.begin(), data.end());
        layout_.bytes = data.size();
    }

    Status dimensions(unsigned rank, unsigned width) {
        if (rank < 2 || rank > 33 || width < 1 || width > 8)
            return source_.corrupt(fmt::format("chunks of {} dimensions", rank), address_);
        for (unsigned d = 0; d < rank; ++d) layout_.chunks.chunk.push_back(c_.number(width));
        layout_.element_bytes = layout_.chunks.chunk.back();
        layout_.chunks.chunk.pop_back();
        for (std::uint64_t n : layout_.chunks.chunk)
            if (n == 0) return source_.corrupt("a dataset has chunks of no elements", address_);
        return {};
    }

    Status chunks_in_btree() {
        unsigned const rank = c_.byte();
        layout_.chunks.address = take_address(c_, source_);
        return dimensions(rank, 4);
    }

    Status chunks_in_index() {
        layout_.chunks.flags = c_.byte();
        unsigned const rank = c_.byte();
        SLUICE_CHECK(dimensions(rank, c_.byte()));
        unsigned const type = c_.byte();
        if (type < 1 || type > 5)
            return source_.corrupt(fmt::format("a chunk index has type {}", type), address_);
        layout_.chunks.type = static_cast<IndexType>(type);
        constexpr unsigned filtered = 2;
        if (layout_.chunks.type == IndexType::single && (layout_.chunks.flags & filtered) != 0) {
            layout_.chunks.single_bytes = take_length(c_, source_);
            layout_.chunks.single_mask = static_cast<std::uint32_t>(c_.number(4));
        }
        // What the writer was told about the index; the index says it itself.
        constexpr std::uint64_t settings[] = {0, 0, 0, 1, 5, 6};
        c_.take(settings[type]);
        layout_.chunks.address = take_address(c_, source_);
        return {};
    }

    Source const& source_;
    Cursor c_;
    std::uint64_t address_;
    Layout layout_;
};

}  // namespace

Result<Layout> parse_layout(Source const& source, Bytes bytes, std::uint64_t address) {
    return LayoutParser(source, bytes, address).parse();
}

}  // namespace sluice::hdf5::object
