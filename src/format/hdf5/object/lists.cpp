// Reading lists collection by collection, so that each part of the file is read once.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "format/hdf5/object/heaps.h"
#include "format/hdf5/object/raw.h"

namespace sluice::hdf5::object {
namespace {

// Elements of empty lists may be packed by filters, and small files may have many of them.
constexpr std::uint64_t free_elements = 1 << 20, densest_elements = 16;

/// Collections of the heap, one after the other. Their bytes together are no more than a file that
/// is whole has, however often a damaged one tells of them.
class Collections {
  public:
    explicit Collections(Source const& source) : source_(source), left_(source.bytes().size()) {}

    Result<HeapCollection> read(std::uint64_t address) {
        // The lists are data, and do not count as metadata do.
        SLUICE_TRY(auto const head, block(address, collection_head(source_)));
        SLUICE_TRY(std::uint64_t const size, collection_bytes(source_, head, address));
        if (size > left_)
            return source_.corrupt("the lists of a dataset share their places", address);
        left_ -= size;
        SLUICE_TRY(auto bytes, block(address, size));
        return parse_collection(source_, std::move(bytes), address);
    }

  private:
    Result<std::vector<std::byte>> block(std::uint64_t address, std::uint64_t size) const {
        auto bytes = read_block(source_.bytes(), source_.sb(), address, size);
        if (!bytes) return source_.placed(std::move(bytes).error(), address);
        return bytes;
    }

    Source const& source_;
    std::uint64_t left_;
};

}  // namespace

Result<Lists> Lists::open(Object const& dataset) {
    Lists lists(dataset);
    SLUICE_TRY(lists.compound_, compound_of_lists(dataset));
    std::uint64_t const file = dataset.source().bytes().size();
    SLUICE_TRY(Elements const e, read_elements(dataset, file * densest_elements + free_elements));
    lists.extent_ = e.space.extent;
    SLUICE_CHECK(lists.place(e.bytes, e.type.size));
    return lists;
}

Status Lists::place(Bytes elements, std::uint64_t element_bytes) {
    Source const& source = dataset_.source();
    if (element_bytes != 8 + source.address_bytes())
        return source.corrupt("a dataset of lists has elements of a wrong size",
                              dataset_.address());
    std::uint64_t const most = source.bytes().size() / compound_.size;
    counts_.resize(elements.size() / element_bytes);
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        Cursor c(elements.subspan(i * element_bytes, element_bytes));
        counts_[i] = c.number(4);
        Place const at{take_address(c, source), c.number(4), i};
        if (counts_[i] == 0) continue;
        // Lists that share no places have no more entries together than the file has room for.
        total_ += counts_[i];
        if (total_ > most || !source.defined(at.collection) || at.collection == 0)
            return source.corrupt(
                fmt::format("the dataset {} has longer lists than the file has room for",
                            dataset_.path()),
                dataset_.address());
        places_.push_back(at);
    }
    std::ranges::stable_sort(places_, {}, &Place::collection);
    return {};
}

Status Lists::read(std::function<void(std::uint64_t, Bytes)> const& take) const {
    Source const& source = dataset_.source();
    Collections collections(source);
    HeapCollection held;
    std::uint64_t held_at = 0;
    for (Place const& at : places_) {
        if (at.collection != held_at) {
            SLUICE_TRY(held, collections.read(at.collection));
            held_at = at.collection;
        }
        auto const object = held.objects.find(at.number);
        if (object == held.objects.end() ||
            object->second.size() / compound_.size < counts_[at.list])
            return source.corrupt(fmt::format("list {} of the dataset {} is not where it should be",
                                              at.list, dataset_.path()),
                                  at.collection);
        take(at.list,
             object->second.first(static_cast<std::size_t>(counts_[at.list] * compound_.size)));
    }
    return {};
}

}  // namespace sluice::hdf5::object
