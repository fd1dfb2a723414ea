// spawn(): other programs that run for us.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace sluice {

struct SpawnFiles {
    int out = 1, err = 2;  ///< of ours, which the program has as its output
};

/// Starts a program without a shell: each word is one argument, whatever characters it has. It is
/// looked for in PATH, and its input is empty. It has a group of its own, so that Ctrl-C is for us
/// and kill(-pid) ends it with all that it has started. What this process does about signals is not
/// inherited. `environment`: "NAME=value" of all variables; empty: ours. 0, or the system's error
/// number.
int spawn(std::vector<std::string> const& words, SpawnFiles files,
          std::vector<std::string> const& environment, pid_t& pid);

constexpr int lost_status = -1;

/// Whether it has ended: its exit status, 128 and the signal that ended it, or `lost_status` where
/// nobody knows. Asked until it has, once.
std::optional<int> ended_child(pid_t pid);

}  // namespace sluice
