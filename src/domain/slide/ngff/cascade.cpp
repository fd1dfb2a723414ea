// Bands of each level are held until they are whole; then their files are made by all threads.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/cascade.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#include "device/share_out.h"

namespace sluice::slide::ome {

// A file of one level: a chunk, or a shard whose last chunk to be encoded writes it.
struct Cascade::Job {
    int level = 0;
    PixelRows from;
    index x = 0, y = 0, sample = 0;  // of the file in `from`
    index across = 1, down = 1;      // chunks of the file that hold pixels
    std::array<index, 5> file = {};  // its place among the level's files
    std::vector<std::vector<std::byte>> parts = {};
    std::atomic<index> left = 0;
    index first = 0;  // number of its first chunk among all jobs'
};

Cascade::Cascade(Output& output, Pass const& pass)
    : output_(output),
      pass_(pass),
      states_(static_cast<std::size_t>(pass.last - pass.source + 1)),
      rooms_(output.plan.threads) {}

// The largest strip decides on the memory; it stays for all of them.
Status Cascade::make_halver() {
    Plan const& plan = output_.plan;
    if (halver_ || plan.device.kind() == Device::Kind::cpu || pass_.source == pass_.last) return {};
    std::vector<index> most;
    for (int l = pass_.source; l <= pass_.last; ++l) {
        index const columns = ceil_div(pass_.strip, index{1} << (l - pass_.source));
        most.push_back(std::min(columns, level(l).width) * std::min(plan.block, level(l).height) *
                       plan.pixel_bytes());
    }
    SLUICE_TRY(Halver made, Halver::on(plan.device, plan.dtype, most));
    halver_.emplace(std::move(made));
    return {};
}

void Cascade::next_band(int l) {
    state(l).rows = 0;
    if (halver_) halver_->begin_band(l - pass_.source);
}

Status Cascade::begin(PlaneAt at, BandRun const& run, index band) {
    at_ = at;
    SLUICE_CHECK(make_halver());
    for (int l = pass_.source; l <= pass_.last; ++l) {
        State& s = state(l);
        int const halvings = l - pass_.source;
        s.x = run.x >> halvings;
        s.width = std::min(ceil_div(run.width, index{1} << halvings), level(l).width - s.x);
        s.bands = band >> halvings;
        next_band(l);
        index const most = std::min(output_.plan.block, level(l).height);
        s.pixels.reserve(static_cast<std::size_t>(s.width * most * output_.plan.pixel_bytes()));
    }
    // What the level below had of its unfinished band follows from the last band above it.
    // From the coarsest on, because reading a band needs the memory of its level. A run begins
    // where no level has such a band.
    for (int l = pass_.last - 1; l >= pass_.source && band > run.first; --l) {
        if (state(l).bands % 2 == 0) continue;
        SLUICE_CHECK(read_band(l, state(l).bands - 1));
        state(l).rows = rows_of_band(l, state(l).bands - 1);
        SLUICE_CHECK(halve(l));
        next_band(l);
    }
    return {};
}

index Cascade::rows_of_band(int l, index band) const {
    return std::min(output_.plan.block, level(l).height - band * output_.plan.block);
}

Rect Cascade::where() const {
    State const& s = states_[0];
    return {s.x, s.bands * output_.plan.block, s.width, rows_of_band(pass_.source, s.bands)};
}

PixelRows Cascade::source() {
    state(pass_.source).rows = where().height;
    return rows(pass_.source);
}

PixelRows Cascade::rows(int l) {
    return {state(l).pixels.data(), state(l).width, state(l).rows, output_.plan.samples};
}

// Appends the means of level l's band to that of the next level.
Status Cascade::halve(int l) {
    PixelRows const from = rows(l);
    State& to = state(l + 1);
    index const row_bytes = to.width * output_.plan.pixel_bytes();
    std::byte* const begin = to.pixels.data() + to.rows * row_bytes;
    index const rows = ceil_div(from.height, 2);
    if (halver_) {
        SLUICE_CHECK(halver_->halve(l - pass_.source, from, to.rows, begin));
        to.rows += rows;
        return {};
    }
    parallel_for(rows, output_.plan.threads, 16, [&](index y, int) {
        halve_row(output_.plan.dtype, from, y, begin + y * row_bytes);
    });
    to.rows += rows;
    return {};
}

void Cascade::collect(int l, std::vector<std::unique_ptr<Job>>& jobs) {
    LevelPlan const& p = level(l);
    State const& s = state(l);
    PixelRows const from = rows(l);
    index const across = p.shard_x / p.chunk_x, down = p.shard_y / p.chunk_y;
    for (index x = 0; x < from.width; x += p.shard_x)
        for (index sample = 0; sample < from.samples; ++sample) {
            auto job = std::make_unique<Job>();
            job->level = l;
            job->from = from;
            job->x = x, job->sample = sample;
            job->across = std::min(across, ceil_div(from.width - x, p.chunk_x));
            job->down = std::min(down, ceil_div(from.height, p.chunk_y));
            job->file = {at_.t, at_.component + sample, at_.z, s.bands, (s.x + x) / p.shard_x};
            job->parts.resize(static_cast<std::size_t>(across * down));
            job->left = job->across * job->down;
            job->first = jobs.empty() ? 0 : jobs.back()->first + jobs.back()->left;
            jobs.push_back(std::move(job));
        }
}

Status Cascade::finish() {
    std::vector<std::unique_ptr<Job>> jobs;
    int l = pass_.source;
    for (bool whole = true; whole; ++l) {
        // A pass after the first reads its source level, which is written already.
        if (l != pass_.source || pass_.source == 0) collect(l, jobs);
        bool const end = (state(l).bands + 1) * output_.plan.block >= level(l).height;
        if (l == pass_.last) {
            ++l;
            break;
        }
        SLUICE_CHECK(halve(l));
        whole = end || state(l + 1).rows == output_.plan.block;
    }
    Status status = run(jobs);
    for (int k = pass_.source; k < l; ++k) {
        ++state(k).bands;
        next_band(k);
    }
    return status;
}

Status Cascade::run(std::vector<std::unique_ptr<Job>> const& jobs) {
    if (jobs.empty()) return {};
    index const n = jobs.back()->first + jobs.back()->left;
    std::vector<Job*> owners(static_cast<std::size_t>(n));
    for (auto const& job : jobs)
        std::fill_n(owners.begin() + job->first, job->left.load(), job.get());
    // A chunk may take a second to encode, and a band has many.
    Run run([&](index made) {
        return output_.go_on(static_cast<double>(made) / static_cast<double>(n));
    });
    share_out(n, output_.plan.threads, &run, [&](index i, int worker) -> Status {
        Job& job = *owners[static_cast<std::size_t>(i)];
        SLUICE_CHECK(chunk(job, i - job.first, rooms_[worker]));
        run.done();
        return {};
    });
    return run.status();
}

// `number` counts the file's chunks that hold pixels, row by row.
Status Cascade::chunk(Job& job, index number, Room& room) {
    LevelPlan const& p = level(job.level);
    index const row = number / job.across, column = number % job.across;
    auto const bytes =
        static_cast<std::size_t>(p.chunk_x * p.chunk_y * size_of(output_.plan.dtype));
    std::span<std::byte> const out(room.pixels.reserve(bytes), bytes);
    Range const range =
        cut(output_.plan.dtype, job.from, job.x + column * p.chunk_x, row * p.chunk_y, job.sample,
            output_.fill, p.chunk_x, p.chunk_y, out.data());
    if (job.level == 0) {
        std::lock_guard const lock(output_.mutex);
        output_.step.ranges[at_.component + job.sample].add(range);
    }
    return output_.purpose == Purpose::write ? write(job, number, out, room)
                                             : compare(job, number, out, room);
}

Status Cascade::write(Job& job, index number, std::span<std::byte> pixels, Room& room) {
    LevelPlan const& p = level(job.level);
    zarr::Array const& array = output_.levels[static_cast<std::size_t>(job.level)];
    zarr::Written written;
    bool empty = false;
    if (array.spec().shard.empty()) {
        SLUICE_TRY(written, array.write_chunk(job.file, pixels, room.chunk));
        empty = written.length == 0;
    } else {
        SLUICE_TRY(auto encoded, array.encode(pixels, room.chunk));
        empty = encoded.empty();
        index const row = number / job.across, column = number % job.across;
        job.parts[static_cast<std::size_t>(row * (p.shard_x / p.chunk_x) + column)] =
            std::move(encoded);
        if (--job.left == 0) {
            SLUICE_TRY(written, array.write_shard(job.file, job.parts));
            job.parts.clear();
        }
    }
    std::lock_guard const lock(output_.mutex);
    ++output_.step.chunks;
    output_.step.chunks_empty += empty ? 1 : 0;
    if (written.length > 0) output_.step.files.push_back({job.level, job.file, written});
    return {};
}

Status Cascade::compare(Job const& job, index number, std::span<std::byte> pixels, Room& room) {
    LevelPlan const& p = level(job.level);
    zarr::Array const& array = output_.levels[static_cast<std::size_t>(job.level)];
    std::array<index, 5> at = job.file;
    at[3] = at[3] * (p.shard_y / p.chunk_y) + number / job.across;
    at[4] = at[4] * (p.shard_x / p.chunk_x) + number % job.across;
    std::span<std::byte> const out(room.stored.reserve(pixels.size()), pixels.size());
    SLUICE_CHECK(array.read_chunk(at, out, room.chunk));
    if (std::memcmp(out.data(), pixels.data(), pixels.size()) != 0)
        return Error{Code::corrupt,
                     fmt::format("chunk {} differs from the slide (the disk or the memory changed "
                                 "it) --resume makes it again",
                                 fmt::join(at, "/")),
                     array.path()};
    std::lock_guard const lock(output_.mutex);
    ++output_.step.chunks;
    return {};
}

Status Cascade::load() {
    state(pass_.source).rows = where().height;
    return read_band(pass_.source, states_[0].bands);
}

// A band of the strip as it was written.
Status Cascade::read_band(int l, index band) {
    LevelPlan const& p = level(l);
    State& s = state(l);
    zarr::Array const& array = output_.levels[static_cast<std::size_t>(l)];
    index const element = size_of(output_.plan.dtype), samples = output_.plan.samples;
    index const height = rows_of_band(l, band), top = band * output_.plan.block;
    index const across = ceil_div(s.width, p.chunk_x), down = ceil_div(height, p.chunk_y);
    auto const one = [&](index i, int worker) -> Status {
        index const sample = i % samples, x = i / samples % across * p.chunk_x,
                    y = i / samples / across * p.chunk_y;
        auto const bytes = static_cast<std::size_t>(array.chunk_bytes());
        Room& room = rooms_[worker];
        std::span<std::byte> const chunk(room.stored.reserve(bytes), bytes);
        std::array<index, 5> const at{at_.t, at_.component + sample, at_.z, (top + y) / p.chunk_y,
                                      (s.x + x) / p.chunk_x};
        SLUICE_CHECK(array.read_chunk(at, chunk, room.chunk));
        index const w = std::min(p.chunk_x, s.width - x), h = std::min(p.chunk_y, height - y);
        for (index r = 0; r < h; ++r) {
            std::byte const* from = chunk.data() + r * p.chunk_x * element;
            std::byte* to =
                s.pixels.data() + (((y + r) * s.width + x) * samples + sample) * element;
            if (samples == 1) {
                std::memcpy(to, from, static_cast<std::size_t>(w * element));
                continue;
            }
            for (index c = 0; c < w; ++c, from += element, to += samples * element)
                std::memcpy(to, from, static_cast<std::size_t>(element));
        }
        return {};
    };
    return share_out(across * down * samples, output_.plan.threads, one);
}

}  // namespace sluice::slide::ome
