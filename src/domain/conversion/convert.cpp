// A conversion: blocks are read and written by all threads, then looked at, then named.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/file_lock.h"
#include "base/memory.h"
#include "base/pause.h"
#include "device/share_out.h"
#include "domain/conversion/output_dataset.h"
#include "domain/conversion/work.h"
#include "scan/describe.h"
#include "sluice/stem4d_convert.h"

namespace sluice::conversion {
namespace {

using Clock = std::chrono::steady_clock;
using stem4d::ScanConvertOptions, stem4d::ScanConvertReport;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Frames in one read of the comparison.
constexpr index compared_bytes = 4 << 20;

}  // namespace

Result<Work> Work::plan(Scan const& scan, std::string path, ScanConvertOptions const& options) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    SLUICE_TRY(FormatRow const row, format_row(options.to, path));
    Wish wish{.like = output_dataset(scan),
              .codec = options.codec,
              .provenance = options.provenance,
              .threads = std::max(1, scan.options().device.host().threads())};
    if (wish.provenance.fields.empty()) wish.provenance = provenance_of("", {scan.dataset().path});
    Places places{path, path + ".part"};
    SLUICE_TRY(auto target, row.make(wish, places));
    Work work(scan, options, std::move(places), std::move(wish), std::move(target));
    work.report_.path = path;
    work.report_.format = row.name;
    work.report_.codec = work.target_->codec();
    work.report_.shape = work.wish_.shape();
    work.report_.dtype = name_of(work.wish_.like.dtype);
    work.report_.bytes = work.wish_.like.bytes();
    work.report_.blocks = work.target_->blocks();
    return work;
}

std::uint64_t Work::bytes(double packed) const {
    auto const frame = static_cast<std::uint64_t>(wish_.frame_bytes());
    std::uint64_t worker = target_->worker_bytes(packed);
    if (options_.verify)
        worker = std::max(worker, 2 * std::max<std::uint64_t>(compared_bytes, frame));
    // The scan's plan, the wish and the target have a pixel mask each.
    std::uint64_t const masks = 3 * sizeof(std::uint32_t) * wish_.like.pixel_mask.size();
    return static_cast<std::uint64_t>(threads()) * worker + masks;
}

Status Work::check_memory() const {
    std::uint64_t const needed = bytes(), free = memory_available();
    if (needed <= free) return {};
    return Error{
        Code::out_of_memory,
        fmt::format("the blocks of {} threads take up to {:.1f} GB, and {:.1f} GB are free; "
                    "give fewer --threads, or see `sluice plan --task convert`",
                    threads(), static_cast<double>(needed) / 1e9, static_cast<double>(free) / 1e9),
        places_.path};
}

Status Work::write() {
    std::vector<std::optional<FrameReader>> readers(static_cast<std::size_t>(threads()));
    Progress const& told = options_.progress;
    auto const frame = static_cast<std::uint64_t>(wish_.frame_bytes());
    std::uint64_t const all = frame * static_cast<std::uint64_t>(wish_.like.frames);
    Run run(told ? Run::Told([&](index frames) {
        return told(std::min(all, frame * static_cast<std::uint64_t>(frames)), all);
    })
                 : Run::Told());
    share_out(target_->blocks(), threads(), &run, [&](index number, int worker) -> Status {
        index const count = target_->block(number).count;
        if (kept_.contains(number)) {
            run.done(count);
            return {};
        }
        auto& reader = readers[static_cast<std::size_t>(worker)];
        if (!reader) reader.emplace(scan_);
        SLUICE_TRY(Stored const stored, target_->write(number, *reader));
        SLUICE_CHECK(journal_->add(number, stored));
        pause_at("conversion block");
        run.done(count);
        return {};
    });
    run.report();
    for (auto const& reader : readers)
        if (reader) tally_.merge(reader->tally());
    return run.status();
}

Status Work::compare(Scan const&, Block const& block, std::vector<std::byte>& own,
                     std::vector<std::byte>& its, FrameReader& from, FrameReader& to) const {
    auto const frame = static_cast<std::size_t>(wish_.frame_bytes());
    own.resize(static_cast<std::size_t>(block.count) * frame);
    its.resize(own.size());
    SLUICE_CHECK(from.read(block.first, block.count, own.data()));
    SLUICE_CHECK(to.read(block.first, block.count, its.data()));
    for (index i = 0; i < block.count; ++i) {
        auto const at = static_cast<std::size_t>(i) * frame;
        if (std::memcmp(own.data() + at, its.data() + at, frame) == 0) continue;
        return Error{Code::corrupt,
                     fmt::format("frame {} was read back with other values than it has in the "
                                 "source; is the disk or the memory faulty? Nothing was kept",
                                 block.first + i),
                     places_.path};
    }
    return {};
}

Status Work::verify(Dataset const& made) {
    LoadOptions options;
    options.as_stored = true;
    options.residency = Residency::stream;
    options.device = scan_.options().device;
    SLUICE_TRY(Scan const again, Scan::load(made, options));
    struct Worker {
        FrameReader from, to;
        std::vector<std::byte> own = {}, its = {};
    };
    std::vector<std::optional<Worker>> workers(static_cast<std::size_t>(threads()));
    index const step = std::max<index>(1, compared_bytes / std::max<index>(1, wish_.frame_bytes()));
    index const frames = wish_.like.frames;
    Run run(options_.progress, frames);
    share_out((frames + step - 1) / step, threads(), &run, [&](index n, int worker) -> Status {
        auto& w = workers[static_cast<std::size_t>(worker)];
        if (!w) w.emplace(Worker{FrameReader(scan_), FrameReader(again)});
        Block const block{n * step, std::min(step, frames - n * step)};
        SLUICE_CHECK(compare(again, block, w->own, w->its, w->from, w->to));
        run.done(block.count);
        return {};
    });
    run.report();
    return run.status();
}

Result<ScanConvertReport> Work::run() {
    auto const start = Clock::now();
    SLUICE_TRY(FileLock const lock, lock_output(places_.path, "converts into it"));
    SLUICE_CHECK(check_memory());
    SLUICE_CHECK(begin());
    report_.blocks_kept = static_cast<index>(kept_.size());
    if (Status written = write(); !written) {
        Error error = written.error();
        if (target_->resumable() && (error.code == Code::cancelled || error.code == Code::io))
            error.message += fmt::format(
                " (what is done is kept in {}); --resume goes on from there", places_.part);
        return error;
    }
    SLUICE_CHECK(target_->finish());
    report_.bytes_written = target_->bytes();
    SLUICE_TRY(Dataset const made, target_->reopen());
    SLUICE_CHECK(same_form(wish_.like, made));
    report_.not_carried = not_carried(wish_.like, made);
    report_.seconds = seconds_since(start);
    if (options_.verify) {
        auto const again = Clock::now();
        if (Status same = verify(made); !same) {
            if (same.error().code == Code::corrupt) remove_part();
            return same.error();
        }
        report_.verified = true;
        report_.verify_seconds = seconds_since(again);
    }
    auto const naming = Clock::now();
    SLUICE_CHECK(give_names());
    report_.seconds += seconds_since(naming);
    for (std::string const& n : scan_.notes()) report_.notes.push_back(n);
    fold::describe(tally_, scan_.dataset(), report_.notes);
    for (std::string const& n : target_->notes()) report_.notes.push_back(n);
    return std::move(report_);
}

}  // namespace sluice::conversion

namespace sluice::stem4d {

LoadOptions convert_load_options(LoadOptions o) {
    o.residency = Residency::stream;
    // Lines are for scans in memory: loading says so.
    if (o.layout != Layout::lines) o.layout = Layout::dense;
    bool const changes =
        o.det_bin != 1 || o.scan_bin != 1 || !o.user_mask.values.empty() || o.hot_pixels;
    o.as_stored = !changes;
    return o;
}

Result<ScanConvertReport> convert(Scan const& scan, std::string const& path,
                                  ScanConvertOptions const& options) {
    if (scan.dataset().feed)
        return Error{Code::unsupported,
                     "is measured now; record it with `sluice live --record`, and convert the "
                     "recording",
                     scan.dataset().path};
    SLUICE_TRY(conversion::Work work, conversion::Work::plan(scan, path, options));
    return work.run();
}

}  // namespace sluice::stem4d
