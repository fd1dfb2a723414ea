// Run, and the one way to say that work was stopped.
// SPDX-License-Identifier: Apache-2.0
#include "base/run.h"

#include <algorithm>
#include <limits>

namespace sluice {

Error cancelled(std::string_view left, std::string file) {
    std::string message = "stopped";
    if (!left.empty()) message.append("; ").append(left);
    return {Code::cancelled, std::move(message), std::move(file)};
}

Status tell_progress(Progress const& progress, std::uint64_t done, std::uint64_t all,
                     std::string_view left, std::string const& file) {
    if (!progress || progress(done, all)) return {};
    return cancelled(left, file);
}

Run::Run(Progress const& progress, index all, std::string left) : left_(std::move(left)) {
    if (!progress) return;
    told_ = [&progress, all](index done) {
        return progress(static_cast<std::uint64_t>(std::min(done, all)),
                        static_cast<std::uint64_t>(all));
    };
}

bool Run::wanted() {
    if (stopped() || !told_) return !stopped();
    if (std::unique_lock const lock(mutex_, std::try_to_lock); lock && !stopped()) tell();
    return !stopped();
}

void Run::done(index items) {
    done_ += items;
    if (!told_) return;
    std::unique_lock const lock(mutex_, std::try_to_lock);
    if (lock && !stopped() && done_ != reported_) tell();
}

void Run::report() {
    if (!told_) return;
    std::lock_guard const lock(mutex_);
    if (!stopped() && done_ != reported_) tell();
}

void Run::fail(Error error, index number) {
    std::lock_guard const lock(mutex_);
    if (status_ || number < number_) {
        status_ = std::move(error);
        number_ = number;
    }
    stop_ = true;
}

Status Run::status() {
    std::lock_guard const lock(mutex_);
    return status_;
}

Status Run::check() {
    wanted();
    return status();
}

// The thread that holds the mutex reports, so that reported counts grow.
void Run::tell() {
    reported_ = done_;
    if (told_(reported_)) return;
    status_ = cancelled(left_);
    number_ = std::numeric_limits<index>::min();
    stop_ = true;
}

}  // namespace sluice
