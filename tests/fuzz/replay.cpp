// The driver that makes a fuzz target an ordinary test: its corpus, then mutations of it.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);
extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());
// UBSan calls no callback; it can abort, and that is caught.
extern "C" char const* __ubsan_default_options();
char const* __ubsan_default_options() {
    return "abort_on_error=1:print_stacktrace=1";
}

namespace {

using Input = std::vector<std::uint8_t>;
constexpr int mutations = 2000;
constexpr std::chrono::seconds time_limit{20};
constexpr std::size_t largest_input = 1 << 20;

// What a signal handler can reach: the input that is being tried and where to leave it.
Input const* current = nullptr;
char crash_path[512] = "";

void keep_current() {
    if (current == nullptr) return;
    int const fd = ::open(crash_path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0 || ::write(fd, current->data(), current->size()) < 0) return;
    ::close(fd);
    char const text[] = "the input that did it: ";
    if (::write(2, text, sizeof text - 1) < 0) return;
    if (::write(2, crash_path, std::strlen(crash_path)) < 0) return;
    if (::write(2, "\n", 1) < 0) return;
    current = nullptr;
}

void on_signal(int number) {
    keep_current();
    std::signal(number, SIG_DFL);
    std::raise(number);
}

void watch_for_crashes(std::filesystem::path const& program) {
    std::string const path = "crash-" + program.filename().string();
    std::snprintf(crash_path, sizeof crash_path, "%s", path.c_str());
    std::filesystem::remove(path);
    std::signal(SIGABRT, on_signal);
    if (__sanitizer_set_death_callback != nullptr) {
        __sanitizer_set_death_callback(keep_current);
    } else {
        for (int const number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(number, on_signal);
    }
}

void try_input(Input const& input) {
    current = &input;
    LLVMFuzzerTestOneInput(input.data(), input.size());
    current = nullptr;
}

/// The files of the corpus folders in the order of their names, so that every run is the same.
std::vector<Input> read_corpus(std::vector<std::filesystem::path> const& folders) {
    std::vector<std::filesystem::path> files;
    for (auto const& folder : folders) {
        if (!std::filesystem::is_directory(folder)) continue;
        for (auto const& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<Input> corpus;
    for (auto const& file : files) {
        std::ifstream in(file, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return corpus;
}

/// Changes an input a little, as files in the world are broken and as attackers break them.
class Mutator {
  public:
    void mutate(Input& input, Input const& other) {
        for (std::size_t n = below(4) + 1; n > 0; --n) change(input, other);
        if (input.size() > largest_input) input.resize(largest_input);
    }
    /// Uniform in 0 .. n - 1, and 0 for n = 0; std::uniform_int_distribution differs by library.
    std::size_t below(std::size_t n) {
        return n == 0 ? 0 : static_cast<std::size_t>(random_() % n);
    }

  private:
    void change(Input& input, Input const& other) {
        auto const at = static_cast<std::ptrdiff_t>(below(input.size() + 1));
        switch (below(6)) {
            case 0:
                return flip_bits(input);
            case 1:
                return input.resize(below(input.size() + 1));
            case 2:
                return write_extreme(input);
            case 3:
                return splice(input, other);
            case 4:
                input.insert(input.begin() + at, below(64), any_byte());
                return;
            default:
                input.erase(input.begin() + at, input.begin() + at + tail(input, at));
                return;
        }
    }
    std::ptrdiff_t tail(Input const& input, std::ptrdiff_t at) {
        auto const left = input.size() - static_cast<std::size_t>(at);
        return static_cast<std::ptrdiff_t>(below(std::min<std::size_t>(left, 64) + 1));
    }
    std::uint8_t any_byte() { return static_cast<std::uint8_t>(below(256)); }

    void flip_bits(Input& input) {
        if (input.empty()) return;
        for (std::size_t n = below(8) + 1; n > 0; --n)
            input[below(input.size())] ^= static_cast<std::uint8_t>(1U << below(8));
    }
    void write_extreme(Input& input) {
        constexpr std::uint64_t extremes[] = {0,          1,          0x7f,       0xff,
                                              0x7fff,     0xffff,     0x7fffffff, 0x80000000,
                                              0xfffffffe, 0xffffffff, 1ULL << 40, ~0ULL};
        std::uint64_t value = extremes[below(std::size(extremes))];
        std::size_t const width = std::size_t{1} << below(4);
        if (input.size() < width) return;
        bool const big_endian = below(2) != 0;
        std::size_t const at = below(input.size() - width + 1);
        for (std::size_t i = 0; i < width; ++i, value >>= 8)
            input[at + (big_endian ? width - 1 - i : i)] = static_cast<std::uint8_t>(value);
    }
    void splice(Input& input, Input const& other) {
        input.resize(below(input.size() + 1));
        auto const from = static_cast<std::ptrdiff_t>(below(other.size() + 1));
        input.insert(input.end(), other.begin() + from, other.end());
    }

    std::mt19937_64 random_{20260801};
};

/// Runs mutations of the corpus until there were enough or the time is over; returns how many.
int run_mutations(std::vector<Input> const& corpus) {
    auto const end = std::chrono::steady_clock::now() + time_limit;
    Mutator mutator;
    for (int n = 0; n < mutations; ++n) {
        if (std::chrono::steady_clock::now() > end) return n;
        Input input = corpus[mutator.below(corpus.size())];
        mutator.mutate(input, corpus[mutator.below(corpus.size())]);
        try_input(input);
    }
    return mutations;
}

}  // namespace

int main(int argc, char** argv) {
    watch_for_crashes(argv[0]);
    std::vector<std::filesystem::path> const paths(argv + 1, argv + argc);
    std::vector<Input> corpus;
    for (auto const& path : paths) {
        if (!std::filesystem::is_regular_file(path)) continue;
        std::ifstream in(path, std::ios::binary);
        try_input({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
        std::printf("%s: no crash\n", path.c_str());
        if (paths.size() == 1) return 0;
    }
    corpus = read_corpus(paths);
    std::size_t const files = corpus.size();
    // Without a corpus the mutations still have something to start from.
    corpus.push_back({});
    corpus.push_back(Input(256, 0));
    for (Input const& input : corpus) try_input(input);
    int const done = run_mutations(corpus);
    std::printf("replayed %zu corpus files and %d of %d mutations\n", files, done, mutations);
    return 0;
}
