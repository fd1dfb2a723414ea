// The command that starts the scan engine.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/live/hook.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sluice::cli {
namespace {

constexpr int glance_ms = 10, patience_ms = 2000;

// What this process has, and the scan.
std::vector<std::string> environment_of(ArmedScan const& scan) {
    std::vector<std::string> all;
    for (char** one = environ; *one; ++one)
        if (!std::string_view(*one).starts_with("SLUICE_SERIES=")) all.emplace_back(*one);
    all.push_back("SLUICE_SERIES=" + scan.series);
    all.push_back(fmt::format("SLUICE_ROWS={}", scan.scan[0]));
    all.push_back(fmt::format("SLUICE_COLS={}", scan.scan[1]));
    all.push_back(fmt::format("SLUICE_IMAGES={}", scan.images));
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> out;
    for (auto& word : words) out.push_back(word.data());
    out.push_back(nullptr);
    return out;
}

// Returns 0, or the number of the error. A group of its own: Ctrl-C is for us.
int spawn(std::string const& command, ArmedScan const& scan, pid_t& pid) {
    std::vector<std::string> words = {"/bin/sh", "-c", command};
    std::vector<std::string> variables = environment_of(scan);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, 2, 1);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setflags(
        &how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int const failed = ::posix_spawn(&pid, "/bin/sh", &files, &how, pointers(words).data(),
                                     pointers(variables).data());
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

// Its status; first asked to end, then killed, once nobody wants it.
int wait_for(pid_t pid, GoOn const& go_on) {
    int status = 0;
    for (int since_stop = 0;;) {
        pid_t const ended = ::waitpid(pid, &status, WNOHANG);
        if (ended == pid) break;
        if (ended < 0 && errno != EINTR) return 127;  // nobody knows how it ended
        if (!go_on()) {
            if (since_stop == 0) ::kill(-pid, SIGTERM);
            if (since_stop >= patience_ms) ::kill(-pid, SIGKILL);
            since_stop += glance_ms;
        }
        ::poll(nullptr, 0, glance_ms);
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Status run_hook(std::string const& command, ArmedScan const& scan, GoOn const& go_on) {
    pid_t pid = -1;
    if (int const failed = spawn(command, scan, pid); failed != 0)
        return Error{Code::io, fmt::format("the command of --on-armed cannot be run ({}) look at "
                                           "/bin/sh",
                                           std::strerror(failed))};
    int const status = wait_for(pid, go_on);
    if (status == 0) return {};
    return Error{Code::io,
                 fmt::format("the command of --on-armed ended with status {}; the scan was "
                             "cancelled: look at what it says",
                             status)};
}

}  // namespace sluice::cli
