// Looks at a live scan while it lasts.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/live/watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "app/cli/shell/terminal.h"
#include "base/run.h"

namespace sluice::cli {
namespace {

constexpr std::chrono::milliseconds between_looks{20};
constexpr int looks_per_line = 5;

}  // namespace

LiveWatch::LiveWatch(stem4d::LiveScan& scan)
    : scan_(scan),
      frames_(scan.dataset().frames),
      start_(now()),
      terminal_(::isatty(STDERR_FILENO) != 0),
      thread_([this](std::stop_token const& stop) { look(stop); }) {}

LiveWatch::~LiveWatch() {
    thread_.request_stop();
}

void LiveWatch::look(std::stop_token const& stop) {
    for (int i = 0; !stop.stop_requested(); ++i) {
        FeedState const state = scan_.state();
        note(state);
        if (interrupted()) scan_.end("the scan was stopped by the user");
        if (terminal_ && i % looks_per_line == 0) show(state, now());
        std::this_thread::sleep_for(between_looks);
    }
}

void LiveWatch::note(FeedState const& state) {
    double const time = now();
    if (state.received > 0 && first_ == 0) first_ = time;
    if (state.received > before_.received) last_ = time;
    before_ = state;
    most_lag_s_ = std::max(most_lag_s_, state.lag_s);
    lag_sum_s_ += state.lag_s;
    ++looks_;
    most_waiting_ = std::max(most_waiting_, state.waiting());
    most_bytes_ = std::max(most_bytes_, state.held_bytes);
}

void LiveWatch::show(FeedState const& state, double time) {
    shown_ = true;
    double const seconds = std::max(1e-3, time - (first_ > 0 ? first_ : time));
    fmt::print(stderr, "\r{:>9} of {} frames  {:.0f}/s  {} lost  lag {:.0f} ms, {} frames\033[K",
               state.received, frames_, static_cast<double>(state.received) / seconds, state.gaps,
               state.lag_s * 1e3, state.waiting());
}

Json LiveWatch::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
    FeedState const state = scan_.state();
    note(state);
    if (shown_) fmt::print(stderr, "\r\033[K");
    double const seconds = last_ - first_;
    return {
        {"frames", frames_},
        {"received", state.received},
        {"lost", state.gaps},
        {"seconds", seconds},
        {"frames_per_second",
         seconds > 0 ? Json(static_cast<double>(state.received) / seconds) : Json()},
        {"lag_ms",
         {{"mean", 1e3 * lag_sum_s_ / static_cast<double>(looks_)}, {"most", 1e3 * most_lag_s_}}},
        {"most_frames_waiting", most_waiting_},
        {"most_bytes_waiting", most_bytes_}};
}

}  // namespace sluice::cli
