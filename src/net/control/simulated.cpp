// The state that a simulated detector's control port and its simulator share.
// SPDX-License-Identifier: Apache-2.0
#include "net/control/simulated.h"

#include <chrono>

namespace sluice::net {
namespace {

using namespace std::chrono_literals;
constexpr auto between_looks = 20ms;
constexpr auto most_moment = 3s;

}  // namespace

DetectorState SimulatedDetectorState::state() const {
    std::lock_guard const lock(mutex_);
    if (state_ == DetectorState::idle) released_ = true;
    return state_;
}

std::optional<std::uint64_t> SimulatedDetectorState::arm(Armed wanted) {
    std::lock_guard const lock(mutex_);
    if (state_ != DetectorState::idle) return {};
    wanted.series = ++series_;
    armed_ = wanted;
    triggered_ = !wanted.waits;
    cancelled_ = released_ = false;
    fresh_ = true;
    state_ = DetectorState::armed;
    changed_.notify_all();
    return series_;
}

bool SimulatedDetectorState::trigger(GoOn const& go_on, bool wait) {
    std::unique_lock lock(mutex_);
    if (state_ == DetectorState::idle) return false;
    triggered_ = true;
    changed_.notify_all();
    while (wait && state_ != DetectorState::idle && go_on()) changed_.wait_for(lock, between_looks);
    return true;
}

void SimulatedDetectorState::stop() {
    std::unique_lock lock(mutex_);
    released_ = true;
    if (state_ == DetectorState::idle) return;
    cancelled_ = true;
    changed_.notify_all();
    changed_.wait_for(lock, most_moment, [&] { return state_ == DetectorState::idle; });
}

std::optional<SimulatedDetectorState::Armed> SimulatedDetectorState::wait_armed(GoOn const& go_on) {
    std::unique_lock lock(mutex_);
    while (!fresh_) {
        if (!go_on()) return {};
        changed_.wait_for(lock, between_looks);
    }
    fresh_ = false;
    return armed_;
}

bool SimulatedDetectorState::wait_triggered(GoOn const& go_on) {
    std::unique_lock lock(mutex_);
    while (!triggered_ && !cancelled_) {
        if (!go_on()) return false;
        changed_.wait_for(lock, between_looks);
    }
    if (!cancelled_) state_ = DetectorState::busy;
    return !cancelled_;
}

bool SimulatedDetectorState::cancelled() const {
    std::lock_guard const lock(mutex_);
    return cancelled_;
}

void SimulatedDetectorState::sent_all() {
    std::lock_guard const lock(mutex_);
    state_ = DetectorState::idle;
    changed_.notify_all();
}

void SimulatedDetectorState::wait_released(GoOn const& go_on) const {
    std::unique_lock lock(mutex_);
    auto const until = std::chrono::steady_clock::now() + most_moment;
    while (!released_ && go_on() && std::chrono::steady_clock::now() < until)
        changed_.wait_for(lock, between_looks);
}

}  // namespace sluice::net
