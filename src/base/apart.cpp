// Apart by fork() and a pipe.
// SPDX-License-Identifier: Apache-2.0
#include "base/apart.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/spawn.h"
#include "base/system.h"

namespace sluice {
namespace {

enum Ending : int { well = 0, no_memory = 10, other_exception = 11 };

bool write_all(int fd, Bytes bytes) {
    while (!bytes.empty()) {
        ssize_t const n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return true;
}

// Its handlers would remove our files. Ctrl-C is for the parent, which ends this one.
void forget_signals() {
    for (int const number : {SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
        ::signal(number, SIG_DFL);
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void set_limit(int what, std::uint64_t value) {
    rlimit limit{};
    if (::getrlimit(static_cast<__rlimit_resource_t>(what), &limit) != 0) return;
    limit.rlim_cur = std::min<rlim_t>(value, limit.rlim_max);
    ::setrlimit(static_cast<__rlimit_resource_t>(what), &limit);
}

[[noreturn]] void run_child(Apart::Work const& work, int out, std::uint64_t memory) {
    forget_signals();
    end_with_parent();
    std::uint64_t const taken = addresses_taken();
    if (taken > 0) set_limit(RLIMIT_AS, taken + memory);
    set_limit(RLIMIT_CORE, 0);
    int ending = well;
    try {
        work([out](Bytes bytes) { return write_all(out, bytes); });
    } catch (std::bad_alloc const&) {
        ending = no_memory;
    } catch (...) {
        ending = other_exception;
    }
    // Nothing of the parent's is flushed, removed or destroyed here.
    ::_exit(ending);
}

}  // namespace

Result<Apart> Apart::start(Work const& work, std::uint64_t memory) {
    std::array<int, 2> ends{-1, -1};
    int failed = make_pipe(ends);
    pid_t const pid = failed == 0 ? ::fork() : -1;
    if (pid == 0) {
        ::close(ends[0]);
        run_child(work, ends[1], memory);
    }
    if (pid < 0) {
        if (failed == 0) failed = errno;
        for (int const end : ends)
            if (end >= 0) ::close(end);
        return Error{Code::io, std::string("no process can be started (") + std::strerror(failed) +
                                   "); end other programs"};
    }
    ::close(ends[1]);
    Apart a;
    a.pid_ = pid;
    a.out_ = ends[0];
    return a;
}

Apart::Apart(Apart&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), out_(std::exchange(other.out_, -1)) {}

Apart::~Apart() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        end();
    }
    if (out_ >= 0) ::close(out_);
}

Result<index> Apart::read(std::span<std::byte> out, int seconds) {
    std::size_t done = 0;
    while (done < out.size()) {
        pollfd ready{out_, POLLIN, 0};
        int const n = ::poll(&ready, 1, seconds * 1000);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return Error{Code::io, "the process that reads it says nothing for " +
                                       std::to_string(seconds) + " s"};
        ssize_t const got = ::read(out_, out.data() + done, out.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return Error{Code::io, std::strerror(errno)};
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return static_cast<index>(done);
}

std::string Apart::end() {
    constexpr int patience_ms = 10'000, step_ms = 1;
    std::optional<int> status;
    for (int waited = 0; !(status = ended_child(pid_)); waited += step_ms) {
        if (waited >= patience_ms) ::kill(pid_, SIGKILL);
        ::poll(nullptr, 0, step_ms);
    }
    pid_ = -1;
    // Where signals of children are ignored, the status is lost.
    if (*status == lost_status || *status == well) return {};
    if (*status == no_memory) return "took more memory than it may";
    if (*status > 128) return "was ended by signal " + std::to_string(*status - 128);
    return "ended with status " + std::to_string(*status);
}

}  // namespace sluice
