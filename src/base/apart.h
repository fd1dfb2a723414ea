// Apart: work on bytes of others in a process of its own, which may crash, hang or eat memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <span>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice {

/// A copy of this process that does one thing and writes its answer into a pipe. It has one thread,
/// and must not use the worker threads or a device. Killed when this object ends; where this
/// process is killed, it ends, too. For one thread at a time.
class Apart {
  public:
    /// Writes all of it to who reads; false where nobody does any more.
    using Out = std::function<bool(Bytes)>;
    using Work = std::function<void(Out const& out)>;

    /// `memory`: the bytes that the work may take beside what this process has.
    static Result<Apart> start(Work const& work, std::uint64_t memory);
    Apart(Apart&& other) noexcept;
    Apart& operator=(Apart&&) = delete;
    ~Apart();

    /// The next bytes that it wrote: as many as `out` holds, fewer only at the end. Error where
    /// nothing comes for `seconds`.
    Result<index> read(std::span<std::byte> out, int seconds = 60);
    /// How it ended, as words of a sentence, as in "was ended by signal 11"; empty where all went
    /// well. Waits for the end.
    std::string end();

  private:
    Apart() = default;
    pid_t pid_ = -1;
    int out_ = -1;
};

}  // namespace sluice
