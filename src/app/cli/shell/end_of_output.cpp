// Checks standard output at the end of the program, whatever command it was.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/end_of_output.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace sluice::cli {

void outlive_readers() {
    std::signal(SIGPIPE, SIG_IGN);
}

int end_of_output(int code, int earlier_error) {
    errno = 0;
    bool const written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (written) return code;
    int const number = earlier_error ? earlier_error : errno;
    if (number != EPIPE)
        fmt::print(stderr,
                   "sluice: standard output could not be written ({}); what was printed is not "
                   "complete\n",
                   number ? std::strerror(number) : "an earlier write failed");
    return code == 0 ? 1 : code;
}

}  // namespace sluice::cli
