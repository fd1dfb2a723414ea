// Reading the mappings of virtual datasets (specification 3.0, section VII.C, and its version 1).
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/mapping.h"

#include <fmt/format.h>

#include <algorithm>

#include "format/hdf5/object/heaps.h"

namespace sluice::hdf5::object {
namespace {

class MappingReader {
  public:
    MappingReader(Source const& source, Bytes bytes, std::uint64_t address)
        : source_(source), c_(bytes), address_(address) {}

    Result<std::vector<VirtualMapping>> read() {
        version_ = c_.byte();
        if (version_ > 1)
            return source_.unsupported(
                fmt::format("a virtual dataset is described by version {} (0 and 1 are read); "
                            "rewrite the file with h5repack --high=v110",
                            version_),
                address_);
        std::uint64_t const n = take_length(c_, source_);
        // Each has two names and two selections.
        if (!c_.ok() || n > c_.rest().size() / 16) return damaged();
        for (std::uint64_t i = 0; i < n; ++i) SLUICE_CHECK(take_one());
        return std::move(all_);
    }

  private:
    Error damaged() const {
        return source_.corrupt("the description of a virtual dataset is damaged", address_);
    }

    Result<std::string> text() {
        Bytes const rest = c_.rest();
        auto const end = std::find(rest.begin(), rest.end(), std::byte{});
        if (end == rest.end()) return damaged();
        Bytes const bytes = c_.take(static_cast<std::uint64_t>(end - rest.begin()) + 1);
        std::string s;
        for (std::byte const b : bytes.first(bytes.size() - 1))
            s.push_back(std::to_integer<char>(b));
        return s;
    }

    /// A name, or the number of the mapping that has the same.
    Result<std::string> name(bool shared, std::string VirtualMapping::*which) {
        if (!shared) return text();
        std::uint64_t const other = take_length(c_, source_);
        if (!c_.ok() || other >= all_.size()) return damaged();
        return all_[static_cast<std::size_t>(other)].*which;
    }

    Status take_one() {
        constexpr unsigned same_file_name = 1, same_path = 2, own_file = 4;
        unsigned const flags = version_ == 1 ? c_.byte() : 0;
        VirtualMapping m;
        m.file = ".";
        if ((flags & own_file) == 0) {
            SLUICE_TRY(m.file, name((flags & same_file_name) != 0, &VirtualMapping::file));
        }
        SLUICE_TRY(m.path, name((flags & same_path) != 0, &VirtualMapping::path));
        SLUICE_TRY(m.there, take_region(source_, c_, address_));
        SLUICE_TRY(m.here, take_region(source_, c_, address_));
        all_.push_back(std::move(m));
        return {};
    }

    Source const& source_;
    Cursor c_;
    std::uint64_t address_;
    unsigned version_ = 0;
    std::vector<VirtualMapping> all_;
};

}  // namespace

Result<std::vector<VirtualMapping>> virtual_mappings(Source const& source, Layout const& layout) {
    // Nothing is mapped yet.
    if (!source.defined(layout.address)) return std::vector<VirtualMapping>{};
    GlobalHeap heap(source);
    SLUICE_TRY(Bytes const bytes, heap.object(layout.address, layout.heap_object));
    if (!source.sum_holds(bytes))
        return source.corrupt("the description of a virtual dataset does not have its checksum",
                              layout.address);
    return MappingReader(source, bytes.first(bytes.size() - 4), layout.address).read();
}

bool has_block_number(std::string const& name) {
    return block_name(name, 0) != block_name(name, 1);
}

std::string block_name(std::string const& name, std::uint64_t block) {
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i) {
        char const next = name[i] == '%' && i + 1 < name.size() ? name[i + 1] : '\0';
        if (next == 'b' || next == '%') {
            out += next == 'b' ? std::to_string(block) : "%";
            ++i;
        } else {
            out += name[i];
        }
    }
    return out;
}

}  // namespace sluice::hdf5::object
