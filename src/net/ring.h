// FrameRing: frames that came from a stream and wait to be read, within a budget of bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "format/feed.h"

namespace sluice::net {

struct RingOptions {
    std::string name;                               ///< for errors: the address of the stream
    index frames = 0;                               ///< of the scan
    std::uint64_t budget = std::uint64_t{1} << 30;  ///< bytes of frames that wait
    /// An image that is so far behind the newest one is given up: order is not the reason.
    index reorder = 4096;
    /// The same, once images behind it have been here for so long; 0: only their number counts.
    std::chrono::milliseconds reorder_time{250};
    /// [image] the frame of the scan, -1: none, as in a flyback; empty: image i is frame i.
    std::vector<index> frame_of = {};
    /// Hears of frames that cannot be decoded; by any thread.
    std::function<void(index image, Error const& why)> spoiled = {};
    /// Is given every image that is put, before anything is decided about it; it may wait.
    std::function<void(index image, EncodedFrame const& frame,
                       std::shared_ptr<void const> const& owner)>
        tee = {};
    std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

/// What became of an image.
enum class Arrival : std::uint8_t {
    kept,
    skipped,    ///< it belongs to no frame of the scan
    duplicate,  ///< it has come already
    late,       ///< it was given up
    outside,    ///< the series has no such image
    ended,      ///< nothing is taken any more
};

/// The Feed of streams. One thread puts images in, several fetch frames.
class FrameRing final : public Feed {
  public:
    explicit FrameRing(RingOptions options);

    /// Waits while there is no room. The frame's bytes are there as long as `owner` is held.
    Arrival put(index image, EncodedFrame const& frame, std::shared_ptr<void const> owner);
    /// Called by who puts, at least every glance and with nothing that came left to put, or a few
    /// dozen images apart: gives up what is late by the clock. Time counts while somebody listens:
    /// not where put() waited, nor where nobody called this for long.
    void listened();
    /// The series is complete: what has not come will not.
    void complete() { end({}); }
    /// Nobody reads frames any more, but the series goes on for the tee.
    void discard();
    /// The first frames of the scan, which stay: waits for them, the end, or a ring that is full.
    /// Lost ones are missing; empty, if none came.
    using Kept = WaitingFrame;
    std::vector<Kept> first_frames(index count) const;
    /// Why no more frames come; empty: the series is complete.
    std::string why_ended() const;
    index images() const;

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override;
    std::uint64_t stored_bytes() const override;
    FeedState state() const override;
    std::vector<FrameRun> gaps() const override;
    std::vector<WaitingFrame> waiting(std::chrono::milliseconds age, index most) const override;
    void spoiled(index frame, Error why) override;
    void end(std::string const& why) override;

  private:
    // `told` waits, too: waiting() told it.
    enum class Stage : std::uint8_t { awaited, waits, told, taken, gap };
    static bool is_held(Stage stage) { return stage == Stage::waits || stage == Stage::told; }
    using Clock = std::chrono::steady_clock;
    struct Waiter {
        index first, last, awaited;
        bool takes = true;  ///< else the frames stay in the ring
    };

    void settle(index frame, Stage stage) const;
    void give_up(index image) const;
    void give_up_before(index image) const;
    bool make_room(std::unique_lock<std::mutex>& lock, index frame, std::uint64_t bytes);
    void release_waiters() const;
    void let_go();
    void note_newest(index image);
    void note_follower(index image);
    void forget_arrivals() const;
    index frame_of(index image) const;

    RingOptions const options_;
    std::vector<index> image_of_;  // [frame], where frames are not images
    mutable std::mutex mutex_;     // of all that follows
    mutable std::condition_variable came_, room_;
    mutable std::vector<Stage> stage_;
    mutable std::unordered_map<index, Kept> held_;
    mutable std::deque<std::pair<index, Clock::time_point>> arrivals_;
    mutable std::vector<Waiter*> waiters_;
    mutable FeedState state_;
    mutable index told_ = 0;  // frames
    mutable std::uint64_t bytes_ = 0;
    index newest_ = -1;    // image
    index suspect_ = -1;   // image that is far ahead, alone so far
    index follower_ = -1;  // the newest image but one
    // Until when there was which follower, by the time that was listened; ascending in both.
    std::deque<std::pair<Clock::duration, index>> followers_;
    Clock::duration listened_{0};  // so long
    Clock::time_point looked_;     // at the clock, by listened()
    Clock::duration stood_{0};     // of it put() waited
    mutable index given_up_ = 0;   // all images before it have come or were given up
    bool full_ = false;            // somebody waits for room
    bool discards_ = false;        // what comes is let go
    std::string why_;
    std::optional<Error> failed_;
};

}  // namespace sluice::net
