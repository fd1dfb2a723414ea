// Images come in groups, so that a block of the file is decoded once for many of them.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/event_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "format/boxes/block_cache.h"
#include "format/tpx3/file_chunks.h"

namespace sluice::tpx3 {
namespace {

constexpr std::uint64_t group_bytes = std::uint64_t{2} << 20;  // of the file
constexpr index most_in_group = 1 << 16;
constexpr std::uint64_t cache_bytes = std::uint64_t{128} << 20;
constexpr std::size_t most_hits = std::size_t{1} << 27;  // of a group, 8 bytes each

struct ImageHit {
    std::uint32_t image, pixel;  // the image within the group
};

// Collects the hits of images first .. end - 1.
class Collected {
  public:
    Collected(EventIndex const& events, index first, index end) : events_(events), first_(first) {
        auto const by_first = [](ImageRun const& r) { return r.first + r.images; };
        auto const& runs = events.runs;
        run_ = std::ranges::upper_bound(runs, first, {}, by_first) - runs.begin();
        last_ = std::ranges::lower_bound(runs, end, {}, &ImageRun::first) - runs.begin();
        images_ = static_cast<std::uint64_t>(end - first);
        at_ = run_;
    }
    bool any() const { return run_ < last_; }
    std::int64_t from() const { return run(run_).start; }
    std::int64_t to() const { return run(last_ - 1).end; }
    bool too_many() const { return hits.size() > most_hits; }

    void hit(std::int64_t time, std::uint32_t pixel) {
        if (time < run(at_).start || time >= run(at_).end) {
            if (time < from() || time >= to()) return;
            std::ptrdiff_t const there = find(time);
            if (there < 0) return;
            at_ = there;
        }
        auto const image = run(at_).first - first_ +
                           static_cast<index>(run(at_).image_of(
                               static_cast<std::uint64_t>(time - run(at_).start)));
        if (static_cast<std::uint64_t>(image) < images_ && !too_many())
            hits.push_back({static_cast<std::uint32_t>(image), pixel});
    }
    void start(std::int64_t, int) {}
    void other_edge(int) {}

    std::vector<ImageHit> hits = {};

  private:
    ImageRun const& run(std::ptrdiff_t i) const {
        return events_.runs[static_cast<std::size_t>(i)];
    }
    // Negative: between lines.
    std::ptrdiff_t find(std::int64_t time) const {
        auto const begin = events_.runs.begin();
        auto const next =
            std::upper_bound(begin + run_, begin + last_, time,
                             [](std::int64_t t, ImageRun const& r) { return t < r.start; });
        std::ptrdiff_t const i = next - begin - 1;
        return i < run_ || time >= run(i).end ? -1 : i;
    }

    EventIndex const& events_;
    index first_;
    std::ptrdiff_t run_ = 0, last_ = 0, at_ = 0;
    std::uint64_t images_ = 0;
};

class EventFrames final : public FrameSource, public Indexed {
  public:
    EventFrames(std::shared_ptr<Source const> file, ChipLayout const& layout, LinePath path,
                index lines, EventIndex events)
        : file_(std::move(file)), layout_(layout), path_(path), events_(std::move(events)) {
        index const images = lines * path.per_line;
        wide_ = layout_.rows() * layout_.cols() > index{1} << 16;
        auto const share = static_cast<double>(group_bytes) /
                           static_cast<double>(std::max<std::uint64_t>(file_->size(), 1));
        per_group_ = static_cast<index>(std::clamp(share * static_cast<double>(images), 1.0,
                                                   static_cast<double>(most_in_group)));
        cache_.grow(cache_bytes);
        owner_ = cache_.new_owner();
    }

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        std::ranges::fill(out, EncodedFrame{});
        scratch.held.clear();
        boxes::Block block;
        index group = -1;
        for (std::size_t i = 0; i < out.size(); ++i) {
            index const image = path_.image_of(first + static_cast<index>(i));
            if (!is_made(image)) continue;
            if (image / per_group_ != group) {
                group = image / per_group_;
                SLUICE_TRY(block, cached(group));
                scratch.held.push_back(block);
            }
            out[i] = {.encoding = wide_ ? Encoding::wide_hits : Encoding::hits,
                      .bytes = pixels_of(*block, image - group * per_group_),
                      .file = &file_->name()};
        }
        return {};
    }

    std::uint64_t stored_bytes() const override { return file_->size(); }

    // What hits become hangs on the options of opening: times of images, and where chips lie.
    std::uint64_t index_digest() const override {
        auto const n = [](auto v) { return static_cast<std::uint64_t>(v); };
        std::uint64_t digest = digest_after(0, {n(path_.cols), n(path_.per_line)});
        for (ImageRun const& r : events_.runs)
            digest = digest_after(digest, {n(r.first), n(r.images), n(r.start), n(r.end),
                                           std::bit_cast<std::uint64_t>(r.length)});
        for (FrameRun const& r : events_.made)
            digest = digest_after(digest, {n(r.first), n(r.count)});
        for (auto const& o : layout_.origins())
            digest = digest_after(digest, {n(o.chip), n(o.row), n(o.col)});
        return digest;
    }

  private:
    std::size_t pixel_bytes() const { return wide_ ? 4 : 2; }

    bool is_made(index image) const {
        auto const next = std::ranges::upper_bound(events_.made, image, {}, &FrameRun::first);
        if (next == events_.made.begin()) return false;
        FrameRun const& run = *std::prev(next);
        return image < run.first + run.count;
    }

    // A group is where its images' hits end, and the hits.
    Bytes pixels_of(std::vector<std::byte> const& block, index image) const {
        auto const end_of = [&](index i) {
            std::uint64_t end = 0;
            if (i >= 0) std::memcpy(&end, block.data() + 8 * static_cast<std::size_t>(i), 8);
            return static_cast<std::size_t>(end);
        };
        std::size_t const from = end_of(image - 1), to = end_of(image);
        return Bytes(block)
            .subspan(8 * static_cast<std::size_t>(per_group_))
            .subspan(from * pixel_bytes(), (to - from) * pixel_bytes());
    }

    Result<boxes::Block> cached(index group) const {
        Collected of(events_, group * per_group_, (group + 1) * per_group_);
        std::uint64_t bytes = 8 * static_cast<std::uint64_t>(per_group_);
        if (of.any()) {
            auto const [a, b] = blocks_of(events_, of.from(), of.to());
            for (std::size_t i = a; i < b; ++i)
                bytes += (events_.blocks[i].end - events_.blocks[i].at) / 2;
        }
        return cache_.get(owner_, static_cast<std::uint64_t>(group), bytes,
                          [&] { return make(group, of); });
    }

    Result<std::vector<std::byte>> make(index group, Collected& of) const {
        if (of.any()) {
            auto const [a, b] = blocks_of(events_, of.from(), of.to());
            for (std::size_t i = a; i < b; ++i) SLUICE_CHECK(decode(events_.blocks[i], of));
        }
        if (of.too_many())
            return Error{Code::unsupported,
                         fmt::format("images {} to {} have more than {} hits; name a scan of more "
                                     "points",
                                     group * per_group_, (group + 1) * per_group_ - 1, most_hits),
                         file_->name()};
        return wide_ ? sorted<std::uint32_t>(of.hits) : sorted<std::uint16_t>(of.hits);
    }

    Status decode(EventBlock const& block, Collected& to) const {
        Believed believed = block.before;
        FileChunks chunks(*file_, block.at, block.end,
                          static_cast<std::size_t>(block.end - block.at) + chunk_header_bytes);
        auto const tell = [](std::string_view, std::uint64_t) {};
        auto const taken = [&](Sent const& p) {
            give(p, believed.times(), layout_, TdcEdge::tdc1_rise, to, tell);
        };
        for (;;) {
            SLUICE_TRY(auto const next, chunks.next());
            if (!next) return {};
            if (events_.chip && next->found.chip != *events_.chip) continue;
            Bytes const packets = next->found.packets;
            for (std::size_t i = 0; i < packets.size(); i += packet_bytes) {
                Sent p{.chip = next->found.chip};
                std::memcpy(&p.bits, packets.data() + i, packet_bytes);
                believed.hear(p, taken, tell);
            }
        }
    }

    template <class Pixel>
    std::vector<std::byte> sorted(std::vector<ImageHit> const& hits) const {
        auto const images = static_cast<std::size_t>(per_group_);
        std::vector<std::uint64_t> next(images + 1);
        for (ImageHit const& h : hits) ++next[h.image + 1];
        for (std::size_t i = 0; i < images; ++i) next[i + 1] += next[i];
        std::vector<std::byte> out(8 * images + sizeof(Pixel) * hits.size());
        std::memcpy(out.data(), next.data() + 1, 8 * images);
        for (ImageHit const& h : hits) {
            auto const pixel = static_cast<Pixel>(h.pixel);
            std::memcpy(out.data() + 8 * images + sizeof(Pixel) * next[h.image]++, &pixel,
                        sizeof(Pixel));
        }
        return out;
    }

    std::shared_ptr<Source const> file_;
    ChipLayout layout_;
    LinePath path_;
    EventIndex events_;
    bool wide_ = false;
    index per_group_ = 1;
    mutable boxes::BlockCache cache_{cache_bytes};
    std::uint64_t owner_ = 0;
};

}  // namespace

std::shared_ptr<FrameSource const> event_frames(std::shared_ptr<Source const> file,
                                                ChipLayout const& layout, LinePath path,
                                                index lines, EventIndex events) {
    return std::make_shared<EventFrames>(std::move(file), layout, path, lines, std::move(events));
}

}  // namespace sluice::tpx3
