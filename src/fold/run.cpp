// What the workers of one run share.
// SPDX-License-Identifier: Apache-2.0
#include "fold/run.h"

namespace sluice::fold {

void Run::fail(Error error) {
    std::lock_guard const lock(mutex_);
    if (status_) status_ = std::move(error);
    stop_ = true;
}

void Run::done(index items) {
    done_ += items;
    if (!options_.progress) return;
    if (std::unique_lock const lock(mutex_, std::try_to_lock); lock) tell();
}

void Run::report() {
    if (!options_.progress) return;
    std::lock_guard const lock(mutex_);
    tell();
}

Status Run::status() {
    std::lock_guard const lock(mutex_);
    return status_;
}

// By who holds the mutex, so that what is told grows.
void Run::tell() {
    index const done = done_;
    if (stop_ || done == told_) return;
    told_ = done;
    if (options_.progress(done)) return;
    status_ = Error{Code::cancelled, "cancelled"};
    stop_ = true;
}

}  // namespace sluice::fold
