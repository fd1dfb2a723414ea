// Frames out of lists: the hits of a run of frames are read collection by collection.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "format/hdf5/object/heaps.h"
#include "format/stempy/events.h"

namespace sluice::stempy {
namespace {

using hdf5::object::HeapCollection;
using hdf5::object::Object;

/// The collection used last; neighbours lie in the same one.
class Heap {
  public:
    explicit Heap(hdf5::object::Source const& source) : source_(source) {}

    Result<Bytes> object(List const& list) {
        if (list.collection != at_) SLUICE_CHECK(read(list.collection));
        auto const found = here_.objects.find(list.number);
        if (found == here_.objects.end())
            return source_.corrupt(fmt::format("a list of hits, {}, is missing", list.number),
                                   list.collection);
        return found->second;
    }

  private:
    // Not as metadata, whose bytes are counted: these are the scan.
    Status read(std::uint64_t address) {
        std::uint64_t const at = source_.sb().base + address;
        std::uint64_t const end = source_.bytes().size();
        std::vector<std::byte> head(collection_head(source_));
        if (at > end || head.size() > end - at)
            return source_.corrupt("a list of hits lies outside of the file", address);
        SLUICE_CHECK(source_.bytes().read(at, head));
        SLUICE_TRY(auto const size, collection_bytes(source_, head, address));
        if (size > end - at)
            return source_.corrupt("lists of hits reach beyond the end of the file", address);
        std::vector<std::byte> bytes(static_cast<std::size_t>(size));
        SLUICE_CHECK(source_.bytes().read(at, bytes));
        at_ = 0;
        SLUICE_TRY(here_, parse_collection(source_, std::move(bytes), address));
        at_ = address;
        return {};
    }

    hdf5::object::Source const& source_;
    std::uint64_t at_ = 0;  // 0: none; no collection lies there
    HeapCollection here_ = {};
};

class EventFrames final : public FrameSource {
  public:
    EventFrames(Object root, Events events) : root_(std::move(root)), e_(std::move(events)) {}

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        std::ranges::fill(out, EncodedFrame{});
        scratch.bytes.clear();
        Heap heap(root_.source());
        std::vector<std::size_t> ends;
        for (std::size_t i = 0; i < out.size(); ++i) {
            SLUICE_CHECK(add_point(static_cast<std::size_t>(first) + i, heap, scratch.bytes));
            ends.push_back(scratch.bytes.size());
        }
        for (std::size_t i = 0; i < out.size(); ++i) {
            std::size_t const begin = i == 0 ? 0 : ends[i - 1];
            auto const point = static_cast<std::size_t>(first) + i;
            if (point + 1 >= e_.first.size() || e_.first[point] == e_.first[point + 1]) continue;
            out[i] = {.encoding = Encoding::wide_hits,
                      .bytes = Bytes(scratch.bytes).subspan(begin, ends[i] - begin),
                      .at = e_.lists[e_.first[point]].collection,
                      .file = &root_.file()};
        }
        return {};
    }

    std::uint64_t stored_bytes() const override { return root_.source().bytes().size(); }

  private:
    Status add_point(std::size_t point, Heap& heap, std::vector<std::byte>& to) const {
        if (point + 1 >= e_.first.size()) return {};
        for (std::uint64_t l = e_.first[point]; l < e_.first[point + 1]; ++l)
            if (e_.lists[l].hits > 0) SLUICE_CHECK(add_list(point, e_.lists[l], heap, to));
        return {};
    }

    Status add_list(std::size_t point, List const& list, Heap& heap,
                    std::vector<std::byte>& to) const {
        SLUICE_TRY(Bytes const bytes, heap.object(list));
        auto const each = static_cast<std::size_t>(e_.hit_bytes);
        if (list.hits > bytes.size() / each)
            return root_.source().corrupt(
                fmt::format("the hits of point {} are longer than where they are stored", point),
                list.collection);
        Bytes const hits = bytes.first(static_cast<std::size_t>(list.hits) * each);
        if (each == 4) {
            to.insert(to.end(), hits.begin(), hits.end());
            return {};
        }
        auto const pixels = static_cast<std::uint64_t>(e_.rows * e_.cols);
        for (std::size_t i = 0; i < hits.size(); i += each) {
            auto const wide = load_le<std::uint64_t>(hits.data() + i);
            if (wide >= pixels)
                return root_.source().corrupt(
                    fmt::format("a hit in pixel {} of {}x{}", wide, e_.rows, e_.cols),
                    list.collection);
            auto const pixel = static_cast<std::uint32_t>(wide);
            auto const* const from = reinterpret_cast<std::byte const*>(&pixel);
            to.insert(to.end(), from, from + sizeof pixel);
        }
        return {};
    }

    Object root_;
    Events e_;
};

}  // namespace

std::shared_ptr<FrameSource const> frames_of(Object const& root, Events events) {
    return std::make_shared<EventFrames>(root, std::move(events));
}

}  // namespace sluice::stempy
