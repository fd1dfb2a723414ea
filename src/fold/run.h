// Run: what the workers of one run share: the first error, the wish to stop, and how far they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "sluice/result.h"
#include "sluice/trace.h"
#include "sluice/view.h"

namespace sluice::fold {

struct RunOptions {
    int threads = 1;
    /// Is told how many items are done; stops the run when it returns false.
    std::function<bool(index items)> progress = {};
    Trace* trace = nullptr;  ///< made for at least `threads` workers
};

class Run {
  public:
    explicit Run(RunOptions const& options) : options_(options) {}

    bool stopped() const { return stop_; }
    Trace* trace() const { return options_.trace; }
    /// The first error ends the run.
    void fail(Error error);
    /// Counts items as done, and says so unless another worker is just saying something.
    void done(index items);
    /// Says how much is done.
    void report();
    Status status();

  private:
    void tell();

    RunOptions const& options_;
    std::mutex mutex_;
    Status status_;
    std::atomic<bool> stop_ = false;
    std::atomic<index> done_ = 0;
    index told_ = 0;  ///< under mutex_
};

}  // namespace sluice::fold
