// What commands share: progress, interruption, errors and exit codes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "sluice/progress.h"
#include "sluice/result.h"

namespace sluice::cli {

/// Exit codes: 0 done, 1 an error in the data or the system, 2 a wrong command line (CLI11's own
/// errors too), 130 interrupted.
int exit_code_of(Error const& error);

/// Prints for people. Texts of files may hold what a terminal obeys: control characters but line
/// ends and tabs are printed as \x1b.
void say_text(std::FILE* to, std::string const& text);
template <class... Values>
void say(std::FILE* to, fmt::format_string<Values...> form, Values&&... values) {
    say_text(to, fmt::format(form, std::forward<Values>(values)...));
}
template <class... Values>
void say(fmt::format_string<Values...> form, Values&&... values) {
    say_text(stdout, fmt::format(form, std::forward<Values>(values)...));
}

/// Prints "  NAME    VALUE", as `sluice info` tells of a file.
void print_line(std::string_view name, std::string const& value);

/// Prints "sluice: ..." on stderr and returns the exit code.
int report(Error const& error);

/// From now on the first Ctrl-C asks the work to stop, and the second one ends the program.
void catch_interrupts();
bool interrupted();

/// A bar with time left on stderr, when that is a terminal; false once interrupted. Of bytes and
/// patterns it shows the rate, of milliseconds of sound the time it takes for each.
class ProgressBar {
  public:
    enum class Counts : std::uint8_t { bytes, steps, sound, patterns };
    explicit ProgressBar(std::string what, Counts counts = Counts::bytes);
    ~ProgressBar();
    /// Takes the bar away, for what is printed next.
    void clear();
    bool operator()(std::uint64_t done, std::uint64_t total);
    /// For LoadOptions and Options.
    Progress callback();

  private:
    std::string what_;
    Counts counts_;
    bool shown_ = false, terminal_;
    double start_, last_ = 0;
};

/// Seconds of a steady clock.
double now();

}  // namespace sluice::cli
