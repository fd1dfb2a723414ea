// Images wait in a queue of bounded size until one thread has written them.
// SPDX-License-Identifier: Apache-2.0
#include "net/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "base/bytes.h"
#include "codec/bitshuffle/bitshuffle.h"

namespace sluice::net {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t most_in_batch = 64;

double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
}

double processor_seconds() {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// One block of LZ4 as a chunk of HDF5's filter 32004.
std::vector<std::byte> with_header(Bytes block, std::size_t plain) {
    constexpr std::size_t header = 16;
    std::vector<std::byte> chunk(header + block.size());
    store_be(chunk.data(), static_cast<std::uint64_t>(plain));
    store_be(chunk.data() + 8, static_cast<std::uint32_t>(plain));
    store_be(chunk.data() + 12, static_cast<std::uint32_t>(block.size()));
    std::ranges::copy(block, chunk.begin() + header);
    return chunk;
}

}  // namespace

Recorder::Recorder(nxmx::Recording recording, Dataset const& like, RecorderOptions options)
    : options_(std::move(options)),
      size_{like.rows, like.cols, static_cast<int>(size_of(like.dtype))},
      name_(recording.prefix()),
      recording_(std::move(recording)),
      flushed_(Clock::now()),
      thread_([this] { work(); }) {}

Recorder::~Recorder() {
    if (thread_.joinable()) finish("the work on its images ended");
}

void Recorder::tell(std::string const& what) const {
    if (options_.tell) options_.tell(fmt::format("recording {}: {}", name_, what));
}

// Waits for the disk as long as it moves.
bool Recorder::has_room(std::uint64_t bytes) {
    std::unique_lock lock(mutex_);
    auto const fits = [&] { return failed_ || bytes_ == 0 || bytes_ + bytes <= options_.budget; };
    if (fits()) stalls_ = false;
    if (fits() || stalls_) return !failed_ && !stalls_;
    if (!std::exchange(told_slow_, true))
        tell("the disk is slower than the detector: reading the stream waits for it");
    auto const begin = Clock::now();
    auto moved = begin;
    for (std::uint64_t before = batches_; !fits() && !stalls_;) {
        taken_.wait_for(lock, std::chrono::milliseconds{50});
        if (std::exchange(before, batches_) != batches_) moved = Clock::now();
        stalls_ = seconds_since(moved) > options_.stall_s;
    }
    report_.waited_s += seconds_since(begin);
    if (stalls_ && !fits())
        tell(fmt::format("the disk took nothing for {:g} s: images are not recorded until it does",
                         options_.stall_s));
    return !failed_ && (fits() || !stalls_);
}

void Recorder::put(index image, EncodedFrame const& frame,
                   std::shared_ptr<void const> const& owner) {
    bool const outside = image < 0 || image >= recording_.images();
    bool const room = outside || has_room(frame.bytes.size());
    std::lock_guard const lock(mutex_);
    report_.outside += outside;
    report_.not_recorded += !room;
    if (outside || !room) return;
    bytes_ += frame.bytes.size();
    report_.most_bytes_waiting = std::max(report_.most_bytes_waiting, bytes_);
    waiting_.push_back({image, frame, owner});
    came_.notify_one();
}

Recorder::Batch Recorder::next(bool& ended) {
    std::unique_lock lock(mutex_);
    came_.wait_for(lock, std::chrono::duration<double>(options_.flush_s),
                   [&] { return ends_ || !waiting_.empty(); });
    Batch batch;
    while (!waiting_.empty() && batch.size() < most_in_batch) {
        batch.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
    }
    ended = ends_ && batch.empty();
    return batch;
}

void Recorder::work() {
    double const begin = processor_seconds();
    for (bool ended = false; !ended;) {
        Batch batch = next(ended);
        if (!batch.empty()) write(batch);
        if (!ended) flush_now_and_then();
    }
    std::lock_guard const lock(mutex_);
    report_.write_s = processor_seconds() - begin;
}

// Bytes that came as the file has them are written as they are; all of them can be decompressed,
// so that a damaged one does not keep other programs from reading the file.
Result<Bytes> Recorder::chunk_of(Waiting const& image, std::vector<std::byte>& made) {
    EncodedFrame const& frame = image.frame;
    if (!std::exchange(begun_, true)) {
        bool const lz4 = frame.encoding == Encoding::lz4 || frame.encoding == Encoding::lz4_block;
        stored_ = lz4 ? Encoding::lz4 : Encoding::bitshuffle_lz4;
        recording_.compress(lz4 ? nxmx::Compression::lz4 : nxmx::Compression::bslz4);
    }
    if (frame.encoding == stored_ && frame.shuffled_bytes == 0) {
        SLUICE_CHECK(check_frame(frame, size_, room_));
        return frame.bytes;
    }
    room_.resize(size_.bytes());
    SLUICE_CHECK(decode_frame(frame, size_, room_));
    // A block that is as long as its values means in files that these stand there themselves.
    if (frame.encoding == Encoding::lz4_block && stored_ == Encoding::lz4 &&
        frame.bytes.size() != room_.size() && room_.size() <= UINT32_MAX) {
        made = with_header(frame.bytes, room_.size());
        return Bytes(made);
    }
    made = stored_ == Encoding::lz4 ? codec::encode_lz4(room_)
                                    : codec::encode_bitshuffle_lz4(room_, size_.pixel_bytes);
    return Bytes(made);
}

void Recorder::write(Batch& batch) {
    std::vector<std::vector<std::byte>> made(batch.size());
    std::vector<nxmx::Recording::Image> images;
    std::uint64_t bytes = 0, stored = 0;
    index damaged = 0;
    bool const failed = [&] {
        std::lock_guard const lock(mutex_);
        return failed_;
    }();
    for (std::size_t i = 0; i < batch.size(); ++i) {
        Waiting const& one = batch[i];
        bytes += one.frame.bytes.size();
        auto const number = static_cast<std::size_t>(one.image);
        if (failed || (number < there_.size() && there_[number])) continue;
        auto const chunk = chunk_of(one, made[i]);
        damaged += !chunk;
        if (!chunk) continue;
        if (number >= there_.size()) there_.resize(number + 1);
        there_[number] = true;
        images.push_back({one.image, *chunk});
        stored += chunk->size();
    }
    index written = 0;
    Status const status = failed ? Status{} : recording_.write(images, written);
    {
        std::lock_guard const lock(mutex_);
        bytes_ -= bytes;
        ++batches_;
        report_.recorded += written;
        report_.damaged += damaged;
        report_.bytes += status ? stored : 0;
        if (failed) report_.not_recorded += std::ssize(batch);
    }
    if (!status) fail(status.error(), std::ssize(images) - written);
    taken_.notify_all();
}

void Recorder::flush_now_and_then() {
    if (seconds_since(flushed_) < options_.flush_s) return;
    if (Status s = recording_.flush(); !s) fail(s.error(), 0);
    flushed_ = Clock::now();
}

// What was written stays; the rest of the series is counted.
void Recorder::fail(Error const& why, index lost) {
    {
        std::lock_guard const lock(mutex_);
        report_.not_recorded += lost;
        if (std::exchange(failed_, true)) return;
        report_.error = why.text();
    }
    tell(fmt::format("{}; what was written stays, the rest is not recorded", why.text()));
}

RecordReport Recorder::finish(std::string const& how) {
    {
        std::lock_guard const lock(mutex_);
        ends_ = true;
    }
    came_.notify_all();
    thread_.join();
    auto files = recording_.finish({.how = how.empty() ? "complete" : how,
                                    .counts = {{"images_recorded", report_.recorded},
                                               {"images_damaged", report_.damaged},
                                               {"images_not_recorded", report_.not_recorded}}});
    if (files)
        report_.files = *std::move(files);
    else if (report_.error.empty())
        tell(report_.error = files.error().text());
    return report_;
}

}  // namespace sluice::net
