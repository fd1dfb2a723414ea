// A scan made of parts.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/part.h"

#include <algorithm>
#include <map>
#include <set>

namespace sluice::hdf5 {

PartSource::PartSource(std::vector<PlacedPart> parts, std::vector<std::byte> fill)
    : parts_(std::move(parts)), fill_(std::move(fill)) {
    for (std::size_t i = 1; i < parts_.size(); ++i)
        expects(parts_[i].first >= parts_[i - 1].first + parts_[i - 1].count);
}

Status PartSource::fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const {
    index const end = first + static_cast<index>(out.size());
    std::fill(out.begin(), out.end(), EncodedFrame{.encoding = Encoding::missing, .bytes = fill_});
    auto const begins =
        std::upper_bound(parts_.begin(), parts_.end(), first,
                         [](index f, PlacedPart const& p) { return f < p.first + p.count; });
    struct Slice {
        Part const* part;
        index local, from, count;
        std::uint64_t bytes;
    };
    std::vector<Slice> slices;
    std::uint64_t total = 0;
    for (auto p = begins; p != parts_.end() && p->first < end; ++p) {
        index const from = std::max(first, p->first);
        index const count = std::min(end, p->first + p->count) - from;
        index const local = p->local + from - p->first;
        slices.push_back({p->part.get(), local, from, count, p->part->scratch_bytes(local, count)});
        total += slices.back().bytes;
    }
    if (scratch.bytes.size() < total) scratch.bytes.resize(static_cast<std::size_t>(total));
    std::byte* to = scratch.bytes.data();
    for (Slice const& s : slices) {
        auto const frames = out.subspan(static_cast<std::size_t>(s.from - first),
                                        static_cast<std::size_t>(s.count));
        SLUICE_CHECK(s.part->fetch(s.local, s.from, frames, to));
        to += s.bytes;
    }
    return {};
}

std::optional<FrameBlock> PartSource::block() const {
    return parts_.empty() ? std::nullopt : parts_.front().part->block();
}

std::uint64_t PartSource::index_digest() const {
    std::uint64_t digest = 0;
    std::map<Part const*, std::uint64_t> known;  // a part may stand at many places
    for (PlacedPart const& p : parts_) {
        auto const [its, is_new] = known.try_emplace(p.part.get());
        if (is_new) its->second = p.part->index_digest();
        digest = digest_after(
            digest, {static_cast<std::uint64_t>(p.first), static_cast<std::uint64_t>(p.count),
                     static_cast<std::uint64_t>(p.local), its->second});
    }
    return digest;
}

std::uint64_t PartSource::stored_bytes() const {
    std::uint64_t n = 0;
    std::set<Part const*> counted;  // a part may stand at many places
    for (PlacedPart const& p : parts_)
        if (counted.insert(p.part.get()).second) n += p.part->stored_bytes();
    return n;
}

}  // namespace sluice::hdf5
