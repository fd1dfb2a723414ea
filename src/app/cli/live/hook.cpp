// The command that starts the scan engine.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/live/hook.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/spawn.h"

namespace sluice::cli {
namespace {

constexpr int glance_ms = 10, patience_ms = 2000;
constexpr int unknown_status = 127;

// What this process has, and the scan.
std::vector<std::string> environment_of(ArmedScan const& scan) {
    std::vector<std::string> all = {
        "SLUICE_SERIES=" + scan.series, fmt::format("SLUICE_ROWS={}", scan.scan[0]),
        fmt::format("SLUICE_COLS={}", scan.scan[1]), fmt::format("SLUICE_IMAGES={}", scan.images)};
    auto const is_ours = [own = all](std::string_view variable) {
        auto const name = variable.substr(0, variable.find('=') + 1);
        return std::ranges::any_of(own, [&](auto const& one) { return one.starts_with(name); });
    };
    for (char** one = environ; *one; ++one)
        if (!is_ours(*one)) all.emplace_back(*one);
    return all;
}

// Its status; first asked to end, then killed, once nobody wants it.
int wait_for(pid_t pid, GoOn const& go_on) {
    for (int since_stop = 0;;) {
        if (auto const status = ended_child(pid))
            return *status == lost_status ? unknown_status : *status;
        if (!go_on()) {
            if (since_stop == 0) ::kill(-pid, SIGTERM);
            if (since_stop >= patience_ms) ::kill(-pid, SIGKILL);
            since_stop += glance_ms;
        }
        ::poll(nullptr, 0, glance_ms);
    }
}

}  // namespace

Status run_hook(std::string const& command, ArmedScan const& scan, GoOn const& go_on) {
    pid_t pid = -1;
    int const failed =
        spawn({"/bin/sh", "-c", command}, {.out = STDERR_FILENO}, environment_of(scan), pid);
    if (failed != 0)
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
