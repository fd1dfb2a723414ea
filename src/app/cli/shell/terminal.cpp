// Progress on terminals, Ctrl-C, error messages.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>

#include "base/utf8.h"

namespace sluice::cli {
namespace {

volatile std::sig_atomic_t stop = 0;

void on_interrupt(int signal) {
    if (stop) ::_exit(130);
    stop = signal;
}

}  // namespace

void say_text(std::FILE* to, std::string const& text) {
    fmt::print(to, "{}", printable(text, "\n\t"));
}

int exit_code_of(Error const& error) {
    if (error.code == Code::cancelled) return 130;
    return error.code == Code::invalid_argument ? 2 : 1;
}

void print_line(std::string_view name, std::string const& value) {
    say("  {:<22} {}\n", name, value);
}

int report(Error const& error) {
    say(stderr, "sluice: {}\n", error.text());
    return exit_code_of(error);
}

void catch_interrupts() {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    // A terminal that is gone ends the work as Ctrl-C does; nohup still counts.
    if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
    // Who started us may not wait for children; we do.
    std::signal(SIGCHLD, SIG_DFL);
}

bool interrupted() {
    return stop != 0;
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

ProgressBar::ProgressBar(std::string what, Counts counts)
    : what_(std::move(what)),
      counts_(counts),
      terminal_(::isatty(STDERR_FILENO) != 0),
      start_(now()) {}

ProgressBar::~ProgressBar() {
    clear();
}

void ProgressBar::clear() {
    if (shown_) fmt::print(stderr, "\r\033[K");
    shown_ = false;
}

bool ProgressBar::operator()(std::uint64_t done, std::uint64_t total) {
    if (interrupted()) return false;
    double const time = now();
    // Nothing is shown for what takes less than half a second.
    if (!terminal_ || time - start_ < 0.5 || time - last_ < 0.1 || total == 0) return true;
    last_ = time;
    shown_ = true;
    double const part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    double const elapsed = time - start_;
    int const filled = static_cast<int>(part * 30);
    std::string const rate =
        counts_ == Counts::bytes
            ? fmt::format("{:.0f} MB/s  ", static_cast<double>(done) / 1e6 / elapsed)
        : counts_ == Counts::patterns
            ? fmt::format("{:.0f} patterns/s  ", static_cast<double>(done) / elapsed)
        : counts_ == Counts::sound && done > 0
            ? fmt::format("real-time factor {:.2f}  ", elapsed * 1e3 / static_cast<double>(done))
            : "";
    fmt::print(stderr, "\r\033[K{} [{}{}] {:3.0f} %  {}{:.0f} s left", what_,
               std::string(static_cast<std::size_t>(filled), '='),
               std::string(static_cast<std::size_t>(30 - filled), ' '), 100 * part, rate,
               part > 0 ? elapsed * (1 / part - 1) : 0.0);
    std::fflush(stderr);
    return true;
}

Progress ProgressBar::callback() {
    return [this](std::uint64_t done, std::uint64_t total) { return (*this)(done, total); };
}

}  // namespace sluice::cli
