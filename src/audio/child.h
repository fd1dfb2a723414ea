// Child: another program that runs for us, and whose output is read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::audio {

/// Started without a shell: each word of it is one argument, whatever characters it has. Its input
/// is empty. Killed when this object ends, with all that it has started; where this process is
/// killed, it ends as soon as it writes. For one thread at a time.
class Child {
  public:
    /// The program is looked for in PATH. Code::not_found where it is not there.
    static Result<Child> start(std::vector<std::string> const& words);
    Child(Child&& other) noexcept;
    Child& operator=(Child&&) = delete;
    ~Child();

    /// The next bytes of its standard output: as many as `out` holds, fewer only at the end. Error
    /// where nothing comes for `seconds`.
    Result<index> read(std::span<std::byte> out, int seconds = 3600);
    /// Its exit status, or 128 and the signal that ended it; waits for the end.
    int wait();
    /// The beginning of what it has said on its standard error so far, on one line.
    std::string errors() const;

  private:
    Child() = default;
    void take_errors();

    std::string name_;
    pid_t pid_ = -1;
    int out_ = -1, err_ = -1;
    std::string said_;
};

}  // namespace sluice::audio
