// Child by spawn() and two pipes.
// SPDX-License-Identifier: Apache-2.0
#include "audio/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/spawn.h"
#include "base/system.h"

namespace sluice::audio {
namespace {

// More of a program's error output does not help.
constexpr std::size_t most_said = 2000;

Error cannot_run(std::string const& name, int number) {
    if (number == ENOENT)
        return {Code::not_found, fmt::format("the program '{}' is not installed", name)};
    return {Code::io,
            fmt::format("the program '{}' cannot be run ({})", name, std::strerror(number))};
}

void close_both(std::array<int, 2> const& ends) {
    for (int const end : ends)
        if (end >= 0) ::close(end);
}

}  // namespace

Result<Child> Child::start(std::vector<std::string> const& words) {
    expects(!words.empty());
    // Closed in other children, which would keep them open and us waiting.
    std::array<int, 2> out{-1, -1}, err{-1, -1};
    int failed = make_pipe(out);
    if (failed == 0) failed = make_pipe(err);
    pid_t pid = -1;
    if (failed == 0) failed = spawn(words, {.out = out[1], .err = err[1]}, {}, pid);
    if (failed != 0) {
        close_both(out);
        close_both(err);
        return cannot_run(words[0], failed);
    }
    ::close(out[1]);
    ::close(err[1]);
    ::fcntl(err[0], F_SETFL, O_NONBLOCK);
    Child child;
    child.name_ = words[0];
    child.pid_ = pid;
    child.out_ = out[0];
    child.err_ = err[0];
    return child;
}

Child::Child(Child&& other) noexcept
    : name_(std::move(other.name_)),
      pid_(std::exchange(other.pid_, -1)),
      out_(std::exchange(other.out_, -1)),
      err_(std::exchange(other.err_, -1)),
      said_(std::move(other.said_)) {}

Child::~Child() {
    if (pid_ > 0) {
        ::kill(-pid_, SIGKILL);
        wait();
    }
    close_both({out_, err_});
}

// A full pipe stops the program that writes into it.
void Child::take_errors() {
    std::array<char, 4096> some;
    while (err_ >= 0) {
        ssize_t const n = ::read(err_, some.data(), some.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n <= 0) {
            ::close(std::exchange(err_, -1));
            return;
        }
        std::size_t const room = most_said - std::min(most_said, said_.size());
        said_.append(some.data(), std::min(static_cast<std::size_t>(n), room));
    }
}

Result<index> Child::read(std::span<std::byte> out, int seconds) {
    std::size_t done = 0;
    while (done < out.size()) {
        std::array<pollfd, 2> ready{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0}};
        int const n = ::poll(ready.data(), ready.size(), seconds * 1000);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return Error{Code::io,
                         fmt::format("the program '{}' says nothing for {} s", name_, seconds)};
        if (ready[1].revents != 0) take_errors();
        if (ready[0].revents == 0) continue;
        ssize_t const got = ::read(out_, out.data() + done, out.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return cannot_run(name_, errno);
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return static_cast<index>(done);
}

int Child::wait() {
    // A program that has closed its output and does not end is broken.
    constexpr int patience_ms = 10'000, step_ms = 5;
    std::optional<int> status;
    for (int waited = 0;; waited += step_ms) {
        take_errors();
        status = ended_child(pid_);
        if (status) break;
        if (waited >= patience_ms) ::kill(-pid_, SIGKILL);
        ::poll(nullptr, 0, step_ms);
    }
    take_errors();
    pid_ = -1;
    // Where signals of children are ignored, the status is lost.
    return *status == lost_status ? 0 : *status;
}

std::string Child::errors() const {
    std::string line;
    for (char const c : said_) {
        bool const shown = static_cast<unsigned char>(c) >= ' ' && c != 127;
        if (shown || (!line.empty() && line.back() != ' ')) line += shown ? c : ' ';
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

}  // namespace sluice::audio
