// Reading a slide by threads, by batches and by processes.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide/benchmark_work.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <thread>

#include "app/cli/slide/benchmark_process.h"
#include "bench/answers.h"
#include "domain/slide/profile/order.h"

namespace sluice::cli {
namespace {

void count(Done& done, slide::Shape const& shape) {
    auto const pixels =
        static_cast<std::uint64_t>(shape.width) * static_cast<std::uint64_t>(shape.height);
    done.pixels += pixels;
    done.samples += pixels * static_cast<std::uint64_t>(shape.samples);
}

void add(Done& to, Done const& from) {
    to.stats += from.stats;
    to.pixels += from.pixels;
    to.samples += from.samples;
    to.peak_bytes += from.peak_bytes;
    if (to.sums.size() < from.sums.size()) to.sums.resize(from.sums.size());
    for (std::size_t i = 0; i < from.sums.size(); ++i) to.sums[i] += from.sums[i];
}

// The rows of a region that one of several processes reads.
slide::Rect strip(slide::Rect const& all, index part, index parts) {
    index const from = all.height * part / parts, to = all.height * (part + 1) / parts;
    return {all.x, all.y + from, all.width, to - from};
}

// Memory that the processes made from now on share.
struct Shared {
    explicit Shared(std::size_t bytes)
        : size(bytes),
          data(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {}
    ~Shared() {
        if (data != MAP_FAILED) ::munmap(data, size);
    }
    Shared(Shared const&) = delete;
    Shared& operator=(Shared const&) = delete;
    std::size_t size;
    void* data;
};

}  // namespace

index Workload::items(Pattern pattern) const {
    switch (pattern) {
        case Pattern::mosaic:
            return 1;
        case Pattern::regions:
            return std::ssize(squares);
        case Pattern::small:
            return std::ssize(small);
        default:
            return std::ssize(tiles);
    }
}

double peak_memory() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

Result<Worker> Worker::open(Workload const& load, Way const& way) {
    SLUICE_TRY(slide::Slide slide,
               slide::Slide::open(load.path, load.open, way.map ? Access::map : Access::read));
    return Worker(load, way, std::move(slide));
}

std::vector<slide::Rect> const& Worker::rects_of(Pattern pattern) const {
    return pattern == Pattern::rectangles ? load_->rectangles
           : pattern == Pattern::regions  ? load_->squares
                                          : load_->small;
}

Result<Done> Worker::run(Pattern pattern, bool with_sums, Trace* trace) const {
    if (way_.processes > 0) return by_processes(pattern, with_sums);
    Result<Done> done = pattern == Pattern::mosaic  ? mosaic(with_sums, trace)
                        : pattern == Pattern::tiles ? tiles(0, 1, with_sums)
                                                    : many(rects_of(pattern), 0, 1, with_sums);
    if (done) done->peak_bytes = peak_memory();
    return done;
}

Result<Done> Worker::mosaic(bool with_sums, Trace* trace) const {
    Done done;
    slide::ReadOptions o;
    o.threads = way_.threads;
    o.stats = &done.stats;
    o.trace = trace;
    SLUICE_TRY(slide::Image const image, slide_.read(load_->region, 0, o));
    count(done, image.shape);
    if (with_sums) done.sums = {bench::checksum(image.pixels.span())};
    return done;
}

// Threads that each read regions one after the other, as the callers of a server would.
Result<Done> Worker::many(std::vector<slide::Rect> const& rects, index first, index step,
                          bool with_sums) const {
    std::optional<slide::TileCache> cache;
    if (way_.cache) cache.emplace(load_->cache_bytes);
    Done done;
    if (with_sums) done.sums.resize(rects.size());
    std::mutex mutex;
    std::optional<Error> error;
    // Neighbours stay with one thread: two that read them at once would both decode what they
    // share.
    index const count_of = (std::ssize(rects) - first + step - 1) / step;
    auto const work = [&](index part) {
        Done mine;
        slide::ReadOptions o;
        o.threads = 1;
        o.stats = &mine.stats;
        o.cache = cache ? &*cache : nullptr;
        index const end = count_of * (part + 1) / way_.threads;
        for (index n = count_of * part / way_.threads; n < end; ++n) {
            index const i = first + n * step;
            slide::Selection region = load_->region;
            region.rect = rects[static_cast<std::size_t>(i)];
            Result<slide::Image> const image = slide_.read(region, 0, o);
            if (!image) {
                std::lock_guard const lock(mutex);
                if (!error) error = image.error();
                return;
            }
            count(mine, image->shape);
            if (with_sums)
                done.sums[static_cast<std::size_t>(i)] = bench::checksum(image->pixels.span());
        }
        std::lock_guard const lock(mutex);
        add(done, mine);
    };
    if (way_.threads == 1) {
        work(0);
    } else {
        std::vector<std::jthread> threads;
        for (int t = 0; t < way_.threads; ++t) threads.emplace_back(work, t);
    }
    if (error) return *std::move(error);
    return done;
}

// Calls of read_tiles() with so many tiles each, which the library shares out to threads.
Result<Done> Worker::tiles(index first, index step, bool with_sums) const {
    Done done;
    if (with_sums) done.sums.resize(load_->tiles.size());
    slide::ReadOptions o;
    o.threads = way_.threads;
    o.stats = &done.stats;
    std::vector<std::int32_t> mine;
    std::vector<std::size_t> places;
    for (index i = first; i < std::ssize(load_->tiles); i += step) {
        mine.push_back(load_->tiles[static_cast<std::size_t>(i)]);
        places.push_back(static_cast<std::size_t>(i));
    }
    auto const batch = static_cast<std::size_t>(std::max<index>(1, way_.batch));
    for (std::size_t begin = 0; begin < mine.size(); begin += batch) {
        std::size_t const n = std::min(batch, mine.size() - begin);
        std::vector<slide::Buffer> memory;
        std::vector<std::span<std::byte>> out;
        for (std::size_t i = 0; i < n; ++i) {
            SLUICE_TRY(slide::Shape const shape, slide_.tile_shape(mine[begin + i]));
            memory.emplace_back(shape.bytes());
            out.push_back(memory.back().span());
            count(done, shape);
        }
        SLUICE_CHECK(slide_.read_tiles(std::span(mine).subspan(begin, n), o, out));
        for (std::size_t i = 0; with_sums && i < n; ++i)
            done.sums[places[begin + i]] = bench::checksum(out[i]);
    }
    return done;
}

// Processes that open the file and read a part each, as Python's multiprocessing does; the pixels
// of the mosaic come back through shared memory.
Result<Done> Worker::by_processes(Pattern pattern, bool with_sums) const {
    slide::Rect const all = slide::extent_of(slide_, load_->region);
    SLUICE_TRY(slide::Shape const shape, slide_.shape(load_->region, 0));
    Shared const memory(pattern == Pattern::mosaic ? std::max<std::size_t>(1, shape.bytes()) : 1);
    if (memory.data == MAP_FAILED)
        return Error{Code::out_of_memory,
                     "there is no memory for the mosaic; give fewer "
                     "--max-tiles"};
    index const parts = way_.processes;
    auto const part = [&](index p) -> Result<Done> {
        Way one = way_;
        one.processes = 0;
        SLUICE_TRY(Worker const worker, Worker::open(*load_, one));
        Done done;
        if (pattern == Pattern::tiles) {
            SLUICE_TRY(done, worker.tiles(p, parts, with_sums));
        } else if (pattern != Pattern::mosaic) {
            SLUICE_TRY(done, worker.many(rects_of(pattern), p, parts, with_sums));
        } else if (slide::Rect const rows = strip(all, p, parts); rows.height > 0) {
            slide::Selection region = load_->region;
            region.rect = rows;
            SLUICE_TRY(slide::Shape const own, worker.slide().shape(region, 0));
            slide::ReadOptions o;
            o.threads = 1;
            o.stats = &done.stats;
            std::size_t const row = own.bytes() / static_cast<std::size_t>(own.height);
            SLUICE_CHECK(worker.slide().read(region, 0, o,
                                             {static_cast<std::byte*>(memory.data) +
                                                  row * static_cast<std::size_t>(rows.y - all.y),
                                              own.bytes()}));
            count(done, own);
        }
        done.peak_bytes = peak_memory();
        return done;
    };
    std::vector<Process> processes;
    for (index p = 0; p < parts; ++p) {
        SLUICE_TRY(Process process, Process::fork([&, p](Json const&) -> Result<Json> {
                       SLUICE_TRY(Done const done, part(p));
                       return to_json(done);
                   }));
        processes.push_back(std::move(process));
    }
    for (Process& p : processes) SLUICE_CHECK(p.send(Json::object()));
    Done done;
    for (Process& p : processes) {
        SLUICE_TRY(Json const answer, p.receive());
        add(done, done_of(answer));
    }
    if (with_sums && pattern == Pattern::mosaic)
        done.sums = {bench::checksum({static_cast<std::byte const*>(memory.data), shape.bytes()})};
    done.peak_bytes += peak_memory();
    return done;
}

Result<slide::Image> Worker::item(Pattern pattern, index i) const {
    if (pattern == Pattern::tiles)
        return slide_.read_tile(load_->tiles[static_cast<std::size_t>(i)]);
    slide::Selection region = load_->region;
    if (pattern != Pattern::mosaic) region.rect = rects_of(pattern)[static_cast<std::size_t>(i)];
    return slide_.read(region, 0);
}

}  // namespace sluice::cli
