// Pipes to other processes.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide/benchmark_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "app/cli/shell/terminal.h"
#include "base/system.h"

namespace sluice::cli {
namespace {

Error pipe_error(std::string_view what) {
    return {Code::io, fmt::format("{} ({})", what, std::strerror(errno))};
}

Json error_json(Error const& e) {
    return {{"error", e.text()}, {"code", static_cast<int>(e.code)}};
}

Error gone() {
    return {Code::io,
            "a process of the benchmark ended before it answered (its message, if it had one, is "
            "above)"};
}

Result<std::string> read_line(std::FILE* from) {
    char* line = nullptr;
    std::size_t room = 0;
    ssize_t const n = ::getline(&line, &room, from);
    std::string text(n > 0 ? line : "", n > 0 ? static_cast<std::size_t>(n) : 0);
    std::free(line);
    if (n <= 0) return gone();
    return text;
}

bool write_line(std::FILE* to, Json const& j) {
    std::string const line = j.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    return std::fwrite(line.data(), 1, line.size(), to) == line.size() && std::fflush(to) == 0;
}

}  // namespace

Result<Process> Process::make(std::function<void(int in, int out)> const& child) {
    std::array<int, 2> down{-1, -1}, up{-1, -1};
    if (make_pipe(down) != 0) return pipe_error("cannot make a pipe");
    if (make_pipe(up) != 0) {
        ::close(down[0]);
        ::close(down[1]);
        return pipe_error("cannot make a pipe");
    }
    // Both processes would print the contents of the buffers.
    std::fflush(nullptr);
    // A process that is gone is an error of one way, and not our end.
    ::signal(SIGPIPE, SIG_IGN);
    Process p;
    p.pid_ = ::fork();
    if (p.pid_ == 0) {
        ::close(down[1]);
        ::close(up[0]);
        ::signal(SIGTERM, SIG_DFL);
        ::signal(SIGINT, SIG_DFL);
        child(down[0], up[1]);
        ::_exit(1);
    }
    ::close(down[0]);
    ::close(up[1]);
    p.to_ = ::fdopen(down[1], "w");
    p.from_ = ::fdopen(up[0], "r");
    if (p.pid_ < 0) return pipe_error("cannot start a process");
    return p;
}

Result<Process> Process::fork(Answer const& answer) {
    return make([&](int in, int out) {
        std::FILE* const from = ::fdopen(in, "r");
        std::FILE* const to = ::fdopen(out, "w");
        for (Result<std::string> line = read_line(from); line; line = read_line(from)) {
            Json const request = Json::parse(*line, nullptr, false);
            Result<Json> reply = Error{Code::out_of_memory, "there is not enough memory"};
            try {
                reply = answer(request);
            } catch (std::bad_alloc const&) {
                // Told as any other error: the benchmark goes on without this way.
                reply = Error{Code::out_of_memory,
                              "there is not enough memory; give fewer "
                              "--max-tiles"};
            }
            if (!write_line(to, reply ? *reply : error_json(reply.error()))) break;
        }
        ::_exit(0);
    });
}

Result<Process> Process::start(std::vector<std::string> const& command) {
    return make([&](int in, int out) {
        ::dup2(in, STDIN_FILENO);
        ::dup2(out, STDOUT_FILENO);
        std::vector<char*> words;
        for (std::string const& w : command) words.push_back(const_cast<char*>(w.c_str()));
        words.push_back(nullptr);
        ::execvp(words[0], words.data());
        say(stderr, "sluice: cannot run {} ({})\n", command[0], std::strerror(errno));
        ::_exit(127);
    });
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      to_(std::exchange(other.to_, nullptr)),
      from_(std::exchange(other.from_, nullptr)) {}

Process& Process::operator=(Process&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(to_, other.to_);
    std::swap(from_, other.from_);
    return *this;
}

// The end of its input is what ends it, unless other copies of this end are open.
Process::~Process() {
    if (to_) std::fclose(to_);
    if (from_) std::fclose(from_);
    if (pid_ <= 0) return;
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
}

Status Process::send(Json const& request) {
    if (!write_line(to_, request)) return gone();
    return {};
}

Result<Json> Process::receive() {
    SLUICE_TRY(std::string const line, read_line(from_));
    Json answer = Json::parse(line, nullptr, false);
    if (!answer.is_object())
        return Error{Code::io,
                     fmt::format("a process of the benchmark answered '{}'", line.substr(0, 60))};
    if (answer.contains("error"))
        return Error{static_cast<Code>(answer.value("code", static_cast<int>(Code::io))),
                     answer["error"].get<std::string>()};
    return answer;
}

Result<Json> Process::ask(Json const& request) {
    SLUICE_CHECK(send(request));
    return receive();
}

Json to_json(Done const& d) {
    return {{"tiles_decoded", d.stats.tiles_decoded},
            {"bytes_read", d.stats.bytes_read},
            {"pixels_decoded", d.stats.pixels_decoded},
            {"pixels", d.pixels},
            {"samples", d.samples},
            {"peak_bytes", d.peak_bytes},
            {"sums", d.sums}};
}

Done done_of(Json const& j) {
    Done d;
    d.stats.tiles_decoded = j.value("tiles_decoded", index{0});
    d.stats.bytes_read = j.value("bytes_read", std::uint64_t{0});
    d.stats.pixels_decoded = j.value("pixels_decoded", index{0});
    d.pixels = j.value("pixels", std::uint64_t{0});
    d.samples = j.value("samples", std::uint64_t{0});
    d.peak_bytes = j.value("peak_bytes", 0.0);
    d.sums = j.value("sums", std::vector<std::uint64_t>());
    return d;
}

}  // namespace sluice::cli
