// FrameRing: frames that came from a stream and wait to be read.
// SPDX-License-Identifier: Apache-2.0
#include "net/ring.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"

namespace sluice::net {
namespace {

// What is full without anything being taken: so long until frames are given up, and until it is
// clear that nothing will ever be taken.
constexpr std::chrono::milliseconds patience{20}, stuck_after{10'000};

// More than this between two looks at the clock is no listening: the program, or the machine, stood
// still, and what came meanwhile waits to be read.
constexpr std::chrono::milliseconds longest_look{100};

}  // namespace

FrameRing::FrameRing(RingOptions options)
    : options_(std::move(options)),
      stage_(static_cast<std::size_t>(options_.frames), Stage::awaited),
      looked_(options_.now()) {
    if (options_.frame_of.empty()) return;
    image_of_.assign(stage_.size(), -1);
    for (std::size_t i = 0; i < options_.frame_of.size(); ++i)
        if (index const f = options_.frame_of[i]; f >= 0)
            image_of_[static_cast<std::size_t>(f)] = static_cast<index>(i);
}

index FrameRing::images() const {
    return options_.frame_of.empty() ? options_.frames : std::ssize(options_.frame_of);
}

index FrameRing::frame_of(index image) const {
    return options_.frame_of.empty() ? image : options_.frame_of[static_cast<std::size_t>(image)];
}

// Whoever waits for frames hears of the last one only.
void FrameRing::settle(index frame, Stage stage) const {
    stage_[static_cast<std::size_t>(frame)] = stage;
    for (Waiter* w : waiters_)
        if (frame >= w->first && frame < w->last && --w->awaited == 0) came_.notify_all();
}

void FrameRing::give_up(index image) const {
    index const frame = frame_of(image);
    if (frame < 0 || stage_[static_cast<std::size_t>(frame)] != Stage::awaited) return;
    ++state_.gaps;
    settle(frame, Stage::gap);
}

void FrameRing::give_up_before(index image) const {
    for (; given_up_ < image; ++given_up_) give_up(given_up_);
}

// The ring is full, and somebody waits for frames that are not in it: those that are behind the
// newest image are given up, for nothing else makes room.
void FrameRing::release_waiters() const {
    for (Waiter const* w : waiters_)
        for (index f = w->first; w->takes && f < w->last; ++f) {
            if (stage_[static_cast<std::size_t>(f)] != Stage::awaited) continue;
            index const image = image_of_.empty() ? f : image_of_[static_cast<std::size_t>(f)];
            if (image < 0 || image >= newest_) continue;
            ++state_.gaps;
            settle(f, Stage::gap);
        }
}

bool FrameRing::make_room(std::unique_lock<std::mutex>& lock, index frame, std::uint64_t bytes) {
    auto const wanted = [&] {
        return std::ranges::any_of(waiters_, [&](Waiter const* w) {
            return w->takes && frame >= w->first && frame < w->last;
        });
    };
    auto const began = options_.now();
    auto moved = Clock::now();
    for (index taken = state_.taken; !state_.ended && !discards_ && state_.held_bytes > 0 &&
                                     !wanted() && state_.held_bytes + bytes > options_.budget;) {
        full_ = true;
        came_.notify_all();  // who waits for the first frames goes on with what there is
        room_.wait_for(lock, patience);
        if (std::exchange(taken, state_.taken) != state_.taken)
            moved = Clock::now();
        else
            release_waiters();
        if (Clock::now() - moved < stuck_after || waiters_.empty()) continue;
        failed_ = Error{
            Code::out_of_memory,
            fmt::format("the frames that wait fill the ring of {:.0f} MB, and those that are "
                        "needed next come later (the path of the scan goes far away from the order "
                        "of its points) give a larger --memory-limit",
                        static_cast<double>(options_.budget) / 1e6),
            options_.name};
        // For a tee the series goes on without the scan.
        if (options_.tee)
            let_go();
        else
            state_.ended = true;
        came_.notify_all();
    }
    if (std::exchange(full_, false)) stood_ += options_.now() - began;
    return !state_.ended && !discards_;
}

// One number may be a damaged one, and be ahead of all that come: only what is behind two images
// that came is late by the clock.
void FrameRing::note_follower(index image) {
    if (image <= follower_ || image == newest_) return;
    follower_ = std::min(image, newest_);
    newest_ = std::max(newest_, image);
    if (follower_ < 0 || options_.reorder_time.count() == 0) return;
    if (followers_.empty() || followers_.back().first != listened_)
        followers_.emplace_back(listened_, follower_);
    else
        followers_.back().second = follower_;
}

void FrameRing::listened() {
    std::lock_guard const lock(mutex_);
    auto const now = options_.now();
    Clock::duration const passed = now - looked_ - std::exchange(stood_, Clock::duration{0});
    looked_ = now;
    listened_ += std::clamp<Clock::duration>(passed, Clock::duration{0}, longest_look);
    while (!followers_.empty() && listened_ - followers_.front().first >= options_.reorder_time) {
        give_up_before(followers_.front().second);
        followers_.pop_front();
    }
}

// A number that is far ahead may be a damaged one: the next image confirms it.
void FrameRing::note_newest(index image) {
    bool const near = image <= newest_ + options_.reorder;
    bool const confirmed = suspect_ >= 0 && std::abs(image - suspect_) <= options_.reorder;
    if (confirmed) note_follower(suspect_);
    if (near || confirmed) note_follower(image);
    suspect_ = near || confirmed ? -1 : image;
    if (newest_ - options_.reorder > given_up_) give_up_before(newest_ - options_.reorder);
}

Arrival FrameRing::put(index image, EncodedFrame const& frame, std::shared_ptr<void const> owner) {
    std::unique_lock lock(mutex_);
    if (state_.ended) return Arrival::ended;
    if (options_.tee) {
        lock.unlock();  // it may wait
        auto const began = options_.now();
        options_.tee(image, frame, owner);
        lock.lock();
        stood_ += options_.now() - began;
        if (state_.ended) return Arrival::ended;
    }
    if (image < 0 || image >= images()) return Arrival::outside;
    note_newest(image);
    index const f = frame_of(image);
    if (f < 0 || discards_) return Arrival::skipped;
    auto const& stage = stage_[static_cast<std::size_t>(f)];
    if (stage == Stage::gap) return Arrival::late;
    if (stage != Stage::awaited) return Arrival::duplicate;
    if (!make_room(lock, f, frame.bytes.size())) return Arrival::ended;
    if (stage != Stage::awaited) return Arrival::late;
    Kept kept{frame, std::move(owner)};
    kept.frame.number = f;
    kept.frame.file = &options_.name;
    held_.emplace(f, std::move(kept));
    forget_arrivals();
    arrivals_.emplace_back(f, options_.now());
    ++state_.received;
    state_.held_bytes += frame.bytes.size();
    bytes_ += frame.bytes.size();
    settle(f, Stage::waits);
    return Arrival::kept;
}

Status FrameRing::fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const {
    scratch.held.clear();
    index const last = first + std::ssize(out);
    std::unique_lock lock(mutex_);
    Waiter waiter{first, last, 0};
    for (index f = first; f < last; ++f)
        waiter.awaited += stage_[static_cast<std::size_t>(f)] == Stage::awaited;
    if (waiter.awaited > 0 && !state_.ended) {
        waiters_.push_back(&waiter);
        if (full_) room_.notify_all();  // who puts looks whether it can be given up
        came_.wait(lock,
                   [&] { return waiter.awaited == 0 || state_.ended || failed_ || discards_; });
        std::erase(waiters_, &waiter);
    }
    if (failed_) return *failed_;
    if (discards_)
        return Error{Code::cancelled, "frames that wait were let go (nobody reads them any more)",
                     options_.name};
    for (index f = first; f < last; ++f) {
        EncodedFrame& to = out[static_cast<std::size_t>(f - first)];
        to = {.file = &options_.name, .number = f};
        auto& stage = stage_[static_cast<std::size_t>(f)];
        if (stage == Stage::taken)
            return Error{Code::unsupported,
                         fmt::format("frame {} was read already (a scan that is measured is read "
                                     "once) analyse the finished scan",
                                     f),
                         options_.name};
        if (!is_held(stage)) continue;
        told_ -= stage == Stage::told;
        auto own = held_.extract(f);
        to = own.mapped().frame;
        scratch.held.push_back(std::move(own.mapped().owner));
        stage = Stage::taken;
        ++state_.taken;
        state_.held_bytes -= to.bytes.size();
    }
    if (full_) room_.notify_all();
    return {};
}

std::vector<FrameRing::Kept> FrameRing::first_frames(index count) const {
    std::unique_lock lock(mutex_);
    count = std::min(count, options_.frames);
    Waiter waiter{0, count, 0, false};
    for (index f = 0; f < count; ++f)
        waiter.awaited += stage_[static_cast<std::size_t>(f)] == Stage::awaited;
    waiters_.push_back(&waiter);
    came_.wait(
        lock, [&] { return waiter.awaited == 0 || state_.ended || full_ || failed_ || discards_; });
    std::erase(waiters_, &waiter);
    std::vector<Kept> kept;
    for (index f = 0; f < count; ++f)
        if (auto const it = held_.find(f); it != held_.end()) kept.push_back(it->second);
    return kept;
}

void FrameRing::forget_arrivals() const {
    while (!arrivals_.empty() &&
           !is_held(stage_[static_cast<std::size_t>(arrivals_.front().first)]))
        arrivals_.pop_front();
}

FeedState FrameRing::state() const {
    std::lock_guard const lock(mutex_);
    forget_arrivals();
    FeedState now = state_;
    for (auto const& [frame, came] : arrivals_) {
        if (stage_[static_cast<std::size_t>(frame)] != Stage::waits) continue;
        now.lag_s = std::chrono::duration<double>(options_.now() - came).count();
        break;
    }
    return now;
}

// Where nobody waits for a frame, all who read have enough to do: a look would only take their
// time.
std::vector<WaitingFrame> FrameRing::waiting(std::chrono::milliseconds age, index most) const {
    std::lock_guard const lock(mutex_);
    std::vector<WaitingFrame> out;
    if (std::ranges::none_of(waiters_, &Waiter::takes)) return out;
    forget_arrivals();
    auto const now = options_.now();
    for (auto const& [frame, came] : arrivals_) {
        if (told_ >= most || now - came < age) break;
        Stage& stage = stage_[static_cast<std::size_t>(frame)];
        if (stage != Stage::waits) continue;
        stage = Stage::told;
        ++told_;
        out.push_back(held_.at(frame));
    }
    return out;
}

std::uint64_t FrameRing::stored_bytes() const {
    std::lock_guard const lock(mutex_);
    return bytes_;
}

std::vector<FrameRun> FrameRing::gaps() const {
    std::lock_guard const lock(mutex_);
    std::vector<FrameRun> runs;
    for (index f = 0; f < options_.frames; ++f) {
        if (stage_[static_cast<std::size_t>(f)] != Stage::gap) continue;
        if (runs.empty() || runs.back().first + runs.back().count != f) runs.push_back({f, 0});
        ++runs.back().count;
    }
    return runs;
}

void FrameRing::spoiled(index frame, Error why) {
    {
        std::lock_guard const lock(mutex_);
        stage_[static_cast<std::size_t>(frame)] = Stage::gap;
        ++state_.gaps;
    }
    bool const same = image_of_.empty();
    if (options_.spoiled)
        options_.spoiled(same ? frame : image_of_[static_cast<std::size_t>(frame)], why);
}

void FrameRing::let_go() {
    discards_ = true;
    held_.clear();
    arrivals_.clear();
    state_.held_bytes = 0;
    told_ = 0;
    came_.notify_all();
    room_.notify_all();
}

void FrameRing::discard() {
    std::lock_guard const lock(mutex_);
    let_go();
}

void FrameRing::end(std::string const& why) {
    std::lock_guard const lock(mutex_);
    if (state_.ended) return;
    why_ = why;
    for (index f = 0; f < options_.frames; ++f)
        if (stage_[static_cast<std::size_t>(f)] == Stage::awaited) {
            ++state_.gaps;
            settle(f, Stage::gap);
        }
    state_.ended = true;
    came_.notify_all();
    room_.notify_all();
}

std::string FrameRing::why_ended() const {
    std::lock_guard const lock(mutex_);
    return why_;
}

}  // namespace sluice::net
