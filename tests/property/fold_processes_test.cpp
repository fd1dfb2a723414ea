// Two processes fold half a file each, and send packed parts through pipes to a third.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "format/nxmx/writer.h"
#include "property/scan_analyses.h"

namespace sluice::stem4d {
namespace {

namespace fs = std::filesystem;
using fold::Range;
using fold::ScanUnits;

// A scan as a detector writes it: master, data files and companion.
class ScanFile {
  public:
    ScanFile()
        : folder_(fs::path(testing::TempDir()) / ("sluice_fold_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
        nxmx::Acquisition a;
        a.prefix = (folder_ / "scan").string();
        a.scan = {30, 41};
        a.rows = 24, a.cols = 20;
        a.frames_per_file = 500;
        a.saturation = 65534;
        a.threads = 1;
        auto const written = nxmx::write(a, [](index image, std::span<std::byte> values) -> Status {
            for (std::size_t i = 0; 2 * i < values.size(); ++i) {
                auto const h = static_cast<std::uint32_t>(image * 7919 + static_cast<index>(i));
                auto const v = static_cast<std::uint16_t>(h * 2654435761U >> 29);
                std::memcpy(values.data() + 2 * i, &v, 2);
            }
            return {};
        });
        EXPECT_TRUE(written) << written.error().text();
    }
    ~ScanFile() { fs::remove_all(folder_); }

    Scan load(Residency residency) const {
        LoadOptions options;
        options.residency = residency;
        options.device = Device::cpu(1);  // a forked process has none of its parent's threads
        return Scan::load(open((folder_ / "scan_master.h5").string()).value(), options).value();
    }

  private:
    fs::path folder_;
};

std::vector<std::byte> read_all(int from) {
    std::vector<std::byte> all;
    std::byte piece[4096];
    for (ssize_t n = 0; (n = ::read(from, piece, sizeof piece)) > 0;)
        all.insert(all.end(), piece, piece + n);
    return all;
}

void write_all(int to, Bytes bytes) {
    while (!bytes.empty()) {
        ssize_t const n = ::write(to, bytes.data(), bytes.size());
        if (n <= 0) ::_exit(2);
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
}

/// A process that writes make() into a pipe and ends.
class Child {
  public:
    template <class Make>
    explicit Child(Make const& make) {
        int ends[2] = {-1, -1};
        EXPECT_EQ(::pipe(ends), 0);
        process_ = ::fork();
        if (process_ == 0) {
            ::close(ends[0]);
            write_all(ends[1], make());
            ::_exit(0);
        }
        ::close(ends[1]);
        from_ = ends[0];
    }
    /// What it wrote, once it has ended well.
    std::vector<std::byte> bytes() {
        auto const all = read_all(from_);
        ::close(from_);
        int status = -1;
        EXPECT_EQ(::waitpid(process_, &status, 0), process_);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
        return all;
    }

  private:
    pid_t process_ = -1;
    int from_ = -1;
};

// What a process sends: it opens the file itself, and shares nothing with its parent.
template <class A>
std::vector<std::byte> folded_part(ScanFile const& file, Residency residency, bool second,
                                   A (Analyses::*analysis)() const) {
    Scan const scan = file.load(residency);
    Analyses const all(scan);
    fold::FoldOptions const options;
    ScanUnits const source(scan, options);
    index const half = source.groups() / 2;
    Range const groups = second ? Range{half, source.groups()} : Range{0, half};
    auto const part = fold::fold_part(source, (all.*analysis)(), groups);
    return part ? fold::pack(source, (all.*analysis)(), *part) : std::vector<std::byte>{};
}

template <class A>
void two_processes(ScanFile const& file, A (Analyses::*analysis)() const) {
    for (Residency residency : {Residency::memory, Residency::stream}) {
        Child second([&] { return folded_part(file, residency, true, analysis); });
        Child first([&] { return folded_part(file, residency, false, analysis); });
        Scan const scan = file.load(Residency::memory);
        Analyses const all(scan);
        A const one = (all.*analysis)();
        fold::FoldOptions const options;
        ScanUnits const source(scan, options);
        ASSERT_GT(source.groups(), 10);
        fold::Folding<A> folding(one, source);
        for (Child* child : {&second, &first}) {
            auto part = fold::unpack(source, one, child->bytes());
            ASSERT_TRUE(part) << part.error().text();
            ASSERT_TRUE(fold::add_part(folding, std::move(*part)));
        }
        EXPECT_EQ(numbers_of(std::move(folding).finish().value()),
                  numbers_of(fold::fold(source, one, {2}).value()))
            << A::name;
    }
}

TEST(FoldProcesses, TwoHalvesAreTheWhole) {
    ScanFile const file;
    two_processes(file, &Analyses::sums);
    two_processes(file, &Analyses::moments);
    two_processes(file, &Analyses::planes);
    two_processes(file, &Analyses::stats);
}

// A process that died has sent nothing, or half of it: the answer is refused.
TEST(FoldProcesses, OneThatDiedIsMissed) {
    ScanFile const file;
    Child first([&] { return folded_part(file, Residency::stream, false, &Analyses::moments); });
    Child second([&] {
        auto bytes = folded_part(file, Residency::stream, true, &Analyses::moments);
        bytes.resize(bytes.size() / 2);
        return bytes;
    });
    Scan const scan = file.load(Residency::stream);
    Analyses const all(scan);
    MomentFrames const moments = all.moments();
    fold::FoldOptions const options;
    ScanUnits const source(scan, options);
    fold::Folding<MomentFrames> folding(moments, source);
    ASSERT_TRUE(fold::add_part(folding, fold::unpack(source, moments, first.bytes()).value()));
    EXPECT_FALSE(fold::unpack(source, moments, second.bytes()));
    auto const answer = std::move(folding).finish();
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Code::incomplete);
}

}  // namespace
}  // namespace sluice::stem4d
