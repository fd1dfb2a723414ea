// Other programs by posix_spawn.
// SPDX-License-Identifier: Apache-2.0
#include "base/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace sluice {
namespace {

// Nothing is written there; the interface is older than const.
std::vector<char*> pointers(std::vector<std::string> const& words) {
    std::vector<char*> out;
    out.reserve(words.size() + 1);
    for (std::string const& word : words) out.push_back(const_cast<char*>(word.c_str()));
    out.push_back(nullptr);
    return out;
}

}  // namespace

int spawn(std::vector<std::string> const& words, SpawnFiles files,
          std::vector<std::string> const& environment, pid_t& pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t how;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, files.out, 1);
    posix_spawn_file_actions_adddup2(&actions, files.err, 2);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setflags(
        &how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::vector<char*> const argv = pointers(words), variables = pointers(environment);
    int const failed = ::posix_spawnp(&pid, argv[0], &actions, &how, argv.data(),
                                      environment.empty() ? environ : variables.data());
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

std::optional<int> ended_child(pid_t pid) {
    int status = 0;
    pid_t const ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return {};
    if (ended < 0) return lost_status;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace sluice
