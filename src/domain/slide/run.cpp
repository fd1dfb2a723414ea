// Reading, decoding and placing the tiles of a plan.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/run.h"

#include <algorithm>
#include <atomic>

#include "base/run.h"
#include "device/workers.h"
#include "domain/slide/tile_cache.h"
#include "fold/fold_part.h"
#include "sluice/device.h"

namespace sluice::slide {
namespace {

// Bytes between two rows up to which it is faster to read them, too, than to read twice.
constexpr index read_over = 16384;

// Bytes that are read at a time on their way past the caches: a part of the second one.
constexpr index part_bytes = 128 << 10;

// Bytes of a tile up to which they are read together with the head of its segment, and how much
// more that is: the head itself and metadata of usual length.
constexpr index small_tile = 4096, small_head = 1024 + 64;

class TileRun {
  public:
    TileRun(Context const& context, Plan const& plan, ReadOptions const& options, Target& target,
            bool look_for_masks)
        : c_(context),
          plan_(plan),
          options_(options),
          target_(target),
          threads_(threads_of(options)),
          look_for_masks_(look_for_masks && !plan.masks),
          run_(options.progress, std::ssize(plan.tiles)) {}

    bool masks_found() const { return masks_found_; }

    Status all(Stats& stats) {
        stats += plan_.masks ? in_order() : at_once();
        // If masks are found, all tiles are read again.
        if (options_.bad && !masks_found_) {
            std::sort(bad_.begin(), bad_.end(),
                      [](BadTile const& a, BadTile const& b) { return a.tile < b.tile; });
            std::move(bad_.begin(), bad_.end(), std::back_inserter(*options_.bad));
        }
        SLUICE_CHECK(run_.status());
        // A mapped file that became shorter meanwhile had zeros where its end was.
        return c_.source.intact();
    }

  private:
    Context const& c_;
    Plan const& plan_;
    ReadOptions const& options_;
    Target& target_;
    int threads_;
    bool look_for_masks_;
    Run run_;
    std::atomic<bool> masks_found_ = false;
    std::mutex bad_mutex_;
    std::vector<BadTile> bad_;
    Stats at_end_;  ///< of readers that have ended, one at a time

    Tile const& tile_of(Placed const& p) const {
        return c_.model.tiles[static_cast<std::size_t>(p.tile)];
    }

    // What a worker has for one tile: its memory, and where it counts what it does.
    struct Hand {
        Scratch& scratch;
        Stats& stats;
        int worker;
    };

    // The tiles of the plan as items to fold; the result for a drawn tile is its cost.
    class Tiles {
      public:
        using Item = Stats;

        class Reader {
          public:
            Reader(TileRun& all, int worker)
                : tiles_(all), worker_(worker), scratch_(all.c_.scratch.take()) {}
            Result<fold::Batch<Stats>> read(fold::Range tiles) {
                took_ = {};
                tiles_.draw(static_cast<std::size_t>(tiles.first), {*scratch_, took_, worker_});
                all_ += took_;
                tiles_.run_.done();
                // The run has the reason, and not the fold.
                if (tiles_.run_.stopped()) return cancelled();
                return fold::Batch<Stats>{{&took_, 1}, tiles.first + 1};
            }
            void end() {
                tiles_.c_.scratch.give(std::move(scratch_));
                tiles_.at_end_ += all_;
            }

          private:
            TileRun& tiles_;
            int worker_;
            std::unique_ptr<Scratch> scratch_;
            Stats took_, all_;
        };

        explicit Tiles(TileRun& tiles) : tiles_(tiles) {}
        index groups() const { return std::ssize(tiles_.plan_.tiles); }
        fold::Range group(index number) const { return {number, number + 1}; }
        Reader reader(int worker) const { return {tiles_, worker}; }
        void retire(Reader& reader) const { reader.end(); }

      private:
        TileRun& tiles_;
    };

    struct Sum {
        using Item = Stats;
        using Partial = Stats;
        using Result = Stats;

        Stats begin(fold::Range) const { return {}; }
        void add(Stats& to, std::span<Stats const> some) const {
            for (Stats const& s : some) to += s;
        }
        void merge(Stats& to, Stats const& from) const { to += from; }
        Stats finish(Stats all) const { return all; }
    };

    Stats at_once() {
        auto const done = fold::fold(Tiles(*this), Sum{}, {.threads = threads_});
        if (!done && !run_.stopped()) run_.fail(done.error());
        run_.report();
        // For a run that failed, its cost until then.
        return done ? *done : at_end_;
    }

    void draw(std::size_t job, Hand hand) {
        Placed const& p = plan_.tiles[job];
        if (Status const s = one(job, p, hand); !s) failed(job, p, s.error(), hand.stats);
    }

    // Where a mask lets lower tiles through, they must be drawn before it: decoded several at a
    // time, placed one after the other.
    Stats in_order() {
        std::size_t const batch = 2 * static_cast<std::size_t>(threads_), jobs = plan_.tiles.size();
        Stats all;
        std::vector<std::unique_ptr<Scratch>> scratch;
        for (std::size_t i = 0; i < batch; ++i) scratch.push_back(c_.scratch.take());
        for (std::size_t begin = 0; begin < jobs && !run_.stopped(); begin += batch) {
            std::size_t const n = std::min(batch, jobs - begin);
            std::vector<Result<Pixels>> decoded(n, Pixels{});
            std::vector<Stats> took(n);
            parallel_for(static_cast<index>(n), threads_, 1, [&](index i, int worker) {
                auto const k = static_cast<std::size_t>(i);
                decoded[k] = pixels_of(plan_.tiles[begin + k], {*scratch[k], took[k], worker});
            });
            for (std::size_t k = 0; k < n; ++k) {
                Placed const& p = plan_.tiles[begin + k];
                if (decoded[k])
                    place(begin + k, p, *decoded[k], {*scratch[k], took[k], 0});
                else
                    failed(begin + k, p, decoded[k].error(), took[k]);
                all += took[k];
                run_.done();
            }
        }
        for (auto& s : scratch) c_.scratch.give(std::move(s));
        return all;
    }

    void failed(std::size_t job, Placed const& p, Error const& error, Stats& stats) {
        Error text = tile_error(c_.source, c_.model, p.tile, error);
        if (options_.fill_bad) {
            std::lock_guard const lock(bad_mutex_);
            for (Box const& b : p.visible) target_.fill(job, p, *options_.fill_bad, b);
            ++stats.tiles_bad;
            bad_.push_back({p.tile, std::move(text)});
            return;
        }
        // Of several errors, that of the tile drawn first counts.
        run_.fail(std::move(text), tile_of(p).order);
    }

    // Fills `head` where that is longer than none, and the place is not known.
    Result<TilePlace> where(Placed const& p, int worker, std::span<std::byte> head = {}) {
        if (p.where) return *p.where;
        Step const step(options_.trace, Phase::locate, worker, p.tile);
        SLUICE_TRY(TilePlace const s, c_.source.locate(tile_of(p), head));
        if (s.attachment_size > 0 && look_for_masks_) {
            SLUICE_TRY(auto const mask, c_.source.mask(tile_of(p), s));
            if (mask) {
                masks_found_ = true;
                run_.end();
            }
        }
        return s;
    }

    Status one(std::size_t job, Placed const& p, Hand hand) {
        bool const same =
            p.width == p.box.right - p.box.left && p.height == p.box.bottom - p.box.top;
        Source const* const plain = c_.source.plain(tile_of(p));
        if (plain && same && !p.mask_error && target_.memory()) {
            SLUICE_TRY(bool const done, straight(job, p, *plain, hand));
            if (done) return {};
        }
        SLUICE_TRY(Pixels const pixels, pixels_of(p, hand));
        if (masks_found_) return {};
        place(job, p, pixels, hand);
        return {};
    }

    void place(std::size_t job, Placed const& p, Pixels const& pixels, Hand hand) {
        Step const step(options_.trace, Phase::compose, hand.worker, p.tile);
        for (Box const& b : p.visible) {
            target_.put(job, p, pixels, b);
            hand.stats.pixels_returned += area(b);
        }
    }

    Result<Pixels> pixels_of(Placed const& p, Hand hand) {
        auto& [scratch, stats, worker] = hand;
        Tile const& tile = tile_of(p);
        TileCache::Impl::Key const key{c_.slide, p.tile, plan_.reduction};
        bool const keep = options_.cache && c_.source.worth_keeping(tile);
        if (p.mask_error) return *p.mask_error;
        if (keep)
            if (auto const cached = options_.cache->impl().find(key)) {
                // The read that put it there may not have looked for its mask.
                if (cached->attachment && look_for_masks_) SLUICE_CHECK(where(p, worker));
                scratch.held = cached;
                return cached->pixels;
            }
        SLUICE_TRY(TilePlace const s, where(p, worker));
        if (masks_found_) return Pixels{};
        Bytes data;
        {
            Step step(options_.trace, Phase::read, worker, p.tile);
            SLUICE_TRY(data, c_.source.fetch(tile, s, scratch.in));
            stats.bytes_read += s.data_size;
            step.bytes(s.data_size);
        }
        Step step(options_.trace, Phase::decode, worker, p.tile);
        SLUICE_TRY(Pixels const pixels, c_.source.decode(tile, data, plan_.reduction, scratch.out));
        ++stats.tiles_decoded;
        stats.pixels_decoded += pixels.width * pixels.height;
        stats.tiles_rounded += pixels.width < p.width || pixels.height < p.height;
        step.bytes(pixels.bytes.size());
        bool const own = pixels.bytes.data() == scratch.out.data();
        if (!keep || !own) return pixels;
        auto kept = std::make_shared<CachedTile>();
        kept->memory = std::move(scratch.out);
        kept->pixels = pixels;
        kept->attachment = s.attachment_size > 0;
        // The cache may drop it while it is being placed.
        scratch.held = kept;
        scratch.out = options_.cache->impl().add(key, kept);
        return pixels;
    }

    // Plain pixels go directly from the file to the image: false where the tile is not whole.
    Result<bool> straight(std::size_t job, Placed const& p, Source const& source, Hand hand) {
        auto& [scratch, stats, worker] = hand;
        Tile const& t = tile_of(p);
        index const pixel = plan_.format.bytes, row = t.stored_width * pixel;
        std::span<std::byte> head;
        if (!p.where && row <= small_tile / t.stored_height && source.mapped().empty()) {
            auto const size = static_cast<std::size_t>(row * t.stored_height + small_head);
            head = {scratch.in.reserve(size), size};
        }
        SLUICE_TRY(TilePlace const s, where(p, worker, head));
        if (masks_found_) return true;
        auto const row_bytes = static_cast<std::uint64_t>(row);
        if (s.data_size % row_bytes != 0 ||
            s.data_size / row_bytes != static_cast<std::uint64_t>(t.stored_height))
            return false;
        std::uint64_t const begin = s.data - c_.source.offset(t).value_or(s.data);
        if (begin + s.data_size <= head.size()) {
            Bytes const data = head.subspan(begin, s.data_size);
            SLUICE_TRY(Pixels const pixels, c_.source.decode(t, data, 1, scratch.out));
            place(job, p, pixels, hand);
            stats.pixels_decoded += pixels.width * pixels.height;
            stats.bytes_read += s.data_size;
            ++stats.tiles_decoded;
            return true;
        }
        Step step(options_.trace, Phase::read, worker, p.tile);
        for (Box const& b : p.visible) {
            SLUICE_CHECK(read_box(source, s, b, p, row, scratch));
            stats.pixels_returned += area(b);
            stats.pixels_decoded += area(b);
            stats.bytes_read += static_cast<std::uint64_t>(area(b) * pixel);
            step.bytes(static_cast<std::uint64_t>(area(b) * pixel));
        }
        ++stats.tiles_decoded;
        return true;
    }

    Status read_box(Source const& source, TilePlace const& s, Box const& b, Placed const& p,
                    index row, Scratch& scratch) {
        index const pixel = plan_.format.bytes, stride = target_.stride();
        index const width = (b.right - b.left) * pixel, gap = row - width;
        std::byte* to = target_.memory() + b.top * stride + b.left * pixel;
        auto from =
            static_cast<index>(s.data) + (b.top - p.box.top) * row + (b.left - p.box.left) * pixel;
        Bytes const mapped = source.mapped();
        if (target_.past_caches() || plan_.format.samples > 1)
            return read_by_parts(source, from, b, row, scratch);
        if (!mapped.empty() || gap > read_over) {
            for (index y = b.top; y < b.bottom; ++y, to += stride, from += row) {
                std::span<std::byte> const line(to, static_cast<std::size_t>(width));
                SLUICE_CHECK(source.read(static_cast<std::uint64_t>(from), line));
            }
            return {};
        }
        scratch.pieces.clear();
        std::byte* const waste = scratch.in.reserve(static_cast<std::size_t>(read_over));
        for (index y = b.top; y < b.bottom; ++y, to += stride) {
            scratch.pieces.emplace_back(to, static_cast<std::size_t>(width));
            if (gap > 0 && y + 1 < b.bottom)
                scratch.pieces.emplace_back(waste, static_cast<std::size_t>(gap));
        }
        return source.read_pieces(static_cast<std::uint64_t>(from), scratch.pieces);
    }

    // Colours are in another order in the file; and into a large image the system would write by
    // way of the caches, and read each line first.
    Status read_by_parts(Source const& source, index from, Box const& b, index row,
                         Scratch& scratch) {
        index const pixel = plan_.format.bytes, stride = target_.stride();
        index const width = b.right - b.left;
        bool const one_by_one = row - width * pixel > read_over;
        index const rows = one_by_one ? 1 : std::max<index>(1, part_bytes / row);
        Bytes const mapped = source.mapped();
        for (index y = b.top; y < b.bottom; y += rows, from += rows * row) {
            index const n = std::min(rows, b.bottom - y);
            auto const size = static_cast<std::size_t>((n - 1) * row + width * pixel);
            auto const begin = static_cast<std::size_t>(from);
            Bytes some;
            if (begin + size <= mapped.size()) {
                some = mapped.subspan(begin, size);
            } else {
                std::span<std::byte> const in(scratch.in.reserve(size), size);
                SLUICE_CHECK(source.read(begin, in));
                some = in;
            }
            Pixels const pixels{.bytes = some,
                                .width = width,
                                .height = n,
                                .pixel_stride = pixel,
                                .row_stride = row,
                                .bgr = plan_.format.samples > 1,
                                .format = plan_.format};
            copy_rect(pixels, {0, 0, width, n}, target_.memory() + y * stride + b.left * pixel,
                      stride, target_.past_caches());
        }
        return {};
    }
};

}  // namespace

int threads_of(ReadOptions const& options) {
    return Device::cpu(options.threads).threads();
}

Status run(Context const& context, Plan const& plan, ReadOptions const& options, Target& target,
           Stats& stats, bool* masks_found) {
    TileRun work(context, plan, options, target, masks_found != nullptr);
    Status done = work.all(stats);
    if (masks_found) *masks_found = work.masks_found();
    return done;
}

}  // namespace sluice::slide
