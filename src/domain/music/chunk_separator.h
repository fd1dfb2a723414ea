// ChunkSeparator: what makes chunks of stems from chunks of a mix; a network, or a stand-in for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/run.h"
#include "sluice/result.h"
#include "sluice/trace.h"
#include "sluice/view.h"

namespace sluice::music {

/// For one thread at a time; it shares its own work among threads. A chunk's answer depends neither
/// on the other chunks of a batch nor on the number of threads.
class ChunkSeparator {
  public:
    virtual ~ChunkSeparator() = default;

    virtual index samples() const = 0;  ///< of each channel in a chunk
    virtual index stems() const = 0;

    /// `mix` is [batch][2][samples()], `out` is [batch][stems()][2][samples()].
    virtual Status separate(std::span<float const> mix, std::span<float> out, index batch) = 0;

    /// Whether it computes in less than float32.
    virtual bool rounds() const { return false; }

    /// Where the steps of the next chunks are noted, as those of `chunk`; null: nowhere.
    virtual void trace(Trace* trace, index chunk) {
        trace_ = trace;
        chunk_ = chunk;
    }

    /// From now on separate() asks the run every few milliseconds (on processors), and ends with
    /// its error. Null: separate() cannot be stopped.
    void ask(Run* run) { run_ = run; }

  protected:
    Run* run() const { return run_; }
    Step step(Phase phase) const { return {trace_, phase, 0, chunk_}; }

  private:
    Run* run_ = nullptr;
    Trace* trace_ = nullptr;
    index chunk_ = -1;
};

}  // namespace sluice::music
