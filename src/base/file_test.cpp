// Files: reads that say where a file ends, and writes that appear whole or not at all.
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/bytes.h"
#include "base/file_lock.h"
#include "base/unfinished.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
  protected:
    void SetUp() override {
        auto const* const test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::path(testing::TempDir()) /
                  ("sluice_file_" + std::to_string(::getpid()) + "_" + test->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string path(std::string const& name) const { return (folder_ / name).string(); }
    std::string put(std::string const& name, std::string const& text) const {
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }
    std::string get(std::string const& name) const {
        std::ifstream in(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::vector<std::string> listing() const {
        std::vector<std::string> names;
        for (auto const& entry : fs::directory_iterator(folder_))
            names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }

    fs::path folder_;
};

Bytes bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

TEST_F(Files, ReadsAtAnyPlace) {
    auto const file = File::open(put("a", "0123456789"));
    ASSERT_TRUE(file);
    EXPECT_EQ(file->size(), 10u);
    EXPECT_EQ(file->path(), path("a"));
    char out[4] = {};
    ASSERT_TRUE(file->read(6, std::as_writable_bytes(std::span(out))));
    EXPECT_EQ(std::string(out, 4), "6789");
    EXPECT_TRUE(file->read(10, {}));
}

TEST_F(Files, PastTheEndNamesTheByteAndWhatIsMissing) {
    auto const file = File::open(put("a", "0123456789"));
    ASSERT_TRUE(file);
    std::byte out[8];
    for (auto const& [offset, ends, lacks] :
         {std::tuple<std::uint64_t, std::uint64_t, char const*>{6, 10, "4 bytes short"},
          {10, 10, "8 bytes short"},
          {500, 500, "8 bytes short"}}) {
        Status const s = file->read(offset, out);
        ASSERT_FALSE(s);
        EXPECT_EQ(s.error().code, Code::truncated);
        EXPECT_EQ(s.error().at, ends);
        EXPECT_EQ(s.error().file, path("a"));
        EXPECT_NE(s.error().message.find(lacks), std::string::npos) << s.error().message;
        EXPECT_EQ(s.error().text().rfind(path("a") + " at byte " + std::to_string(ends) + ": ", 0),
                  0u);
    }
}

// No file is as long as that; the system's own refusal or the file's end will do, a crash will not.
TEST_F(Files, AbsurdOffsets) {
    auto const file = File::open(put("a", "0123456789"));
    ASSERT_TRUE(file);
    std::byte out[8];
    for (std::uint64_t offset :
         {std::uint64_t{1} << 62, (std::uint64_t{1} << 63) - 4, ~std::uint64_t{0} - 2})
        EXPECT_FALSE(file->read(offset, out)) << offset;
}

TEST_F(Files, ThatShrinkAfterOpening) {
    auto const file = File::open(put("a", std::string(1000, 'x')));
    ASSERT_TRUE(file);
    ASSERT_EQ(::truncate(path("a").c_str(), 100), 0);
    std::vector<std::byte> out(1000);
    Status const s = file->read(0, out);
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().at, 100u);
}

TEST_F(Files, WhatCannotBeOpened) {
    auto const gone = File::open(path("nothing"));
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().code, Code::not_found);
    EXPECT_EQ(gone.error().file, path("nothing"));
    auto const folder = File::open(folder_.string());
    ASSERT_FALSE(folder);
    EXPECT_NE(folder.error().message.find("folder"), std::string::npos);
    EXPECT_FALSE(File::open(put("a", "x") + "/b"));
    EXPECT_FALSE(File::open(""));
}

TEST_F(Files, MoveKeepsTheOpenFile) {
    auto a = File::open(put("a", "first"));
    auto b = File::open(put("b", "second"));
    ASSERT_TRUE(a && b);
    File moved = std::move(*a);
    moved = std::move(*b);
    char out[6];
    ASSERT_TRUE(moved.read(0, std::as_writable_bytes(std::span(out))));
    EXPECT_EQ(std::string(out, 6), "second");
}

TEST_F(Files, OneFileManyThreads) {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += std::to_string(1000 + i);
    auto const file = File::open(put("a", text));
    ASSERT_TRUE(file);
    std::atomic<int> wrong = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (std::size_t i = 0; i < 1000; ++i) {
                    char out[4];
                    if (!file->read(4 * i, std::as_writable_bytes(std::span(out))) ||
                        std::string(out, 4) != text.substr(4 * i, 4))
                        ++wrong;
                }
            });
    }
    EXPECT_EQ(wrong, 0);
}

TEST_F(Files, WholeFilesUpToALimit) {
    EXPECT_EQ(read_file(put("a", "12345"), 5).value().size(), 5u);
    EXPECT_TRUE(read_file(put("b", ""), 5).value().empty());
    auto const large = read_file(put("c", "123456"), 5);
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().code, Code::unsupported);
    EXPECT_EQ(large.error().file, path("c"));
}

TEST_F(Files, NewFileIsThereAfterCommitOnly) {
    {
        auto file = NewFile::create(path("out"));
        ASSERT_TRUE(file) << file.error().text();
        ASSERT_TRUE(file->write(bytes_of("half")));
        EXPECT_FALSE(fs::exists(path("out")));
        EXPECT_EQ(fs::path(file->temporary()).parent_path(), folder_);
    }
    EXPECT_EQ(listing(), std::vector<std::string>{});
    {
        auto file = NewFile::create(path("out"));
        ASSERT_TRUE(file);
        ASSERT_TRUE(file->write(bytes_of("whole ")));
        ASSERT_TRUE(file->write(bytes_of("thing")));
        ASSERT_TRUE(file->commit());
    }
    EXPECT_EQ(listing(), std::vector<std::string>{"out"});
    EXPECT_EQ(get("out"), "whole thing");
}

TEST_F(Files, NewFileReplacesBytes) {
    NewFile file = NewFile::create(path("a")).value();
    ASSERT_TRUE(file.write(bytes_of("header, body")));
    ASSERT_TRUE(file.write_at(0, bytes_of("HEAD")));
    ASSERT_TRUE(file.write(bytes_of(" and end")));
    ASSERT_TRUE(file.commit());
    EXPECT_EQ(get("a"), "HEADer, body and end");
}

TEST_F(Files, NewFileLeavesTheOldOneUntilItIsComplete) {
    put("out", "old");
    {
        auto file = NewFile::create(path("out"));
        ASSERT_TRUE(file);
        ASSERT_TRUE(file->write(bytes_of("new and longer")));
        EXPECT_EQ(get("out"), "old");
    }
    EXPECT_EQ(get("out"), "old");
    auto file = NewFile::create(path("out"));
    ASSERT_TRUE(file);
    NewFile moved = std::move(*file);
    ASSERT_TRUE(moved.write(bytes_of("new and longer")));
    ASSERT_TRUE(moved.commit());
    EXPECT_EQ(get("out"), "new and longer");
    EXPECT_EQ(listing(), std::vector<std::string>{"out"});
}

TEST_F(Files, NewFileThatCannotBeGivenItsNameLeavesNothing) {
    {
        auto file = NewFile::create(path("out"));
        ASSERT_TRUE(file);
        fs::create_directories(folder_ / "out" / "full");
        ASSERT_TRUE(file->write(bytes_of("x")));
        Status const s = file->commit();
        ASSERT_FALSE(s);
        EXPECT_EQ(s.error().file, path("out"));
    }
    EXPECT_EQ(listing(), std::vector<std::string>{"out"});
    EXPECT_TRUE(fs::is_directory(path("out")));
}

TEST_F(Files, NewFileWhereNoneCanBe) {
    auto const below_nothing = NewFile::create(path("no/such/folder/out"));
    ASSERT_FALSE(below_nothing);
    EXPECT_EQ(below_nothing.error().file, path("no/such/folder/out"));
    EXPECT_FALSE(NewFile::create(put("a", "x") + "/out"));
    EXPECT_EQ(listing(), std::vector<std::string>{"a"});
}

TEST_F(Files, DiskFullIsSaidWithAdvice) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    // The temporary name is a link to the device that is always full.
    std::string const temporary = NewFile::create(path("out")).value().temporary();
    fs::create_symlink("/dev/full", temporary);
    {
        auto file = NewFile::create(path("out"));
        ASSERT_TRUE(file) << file.error().text();
        Status const s = file->write(bytes_of("x"));
        ASSERT_FALSE(s);
        EXPECT_EQ(s.error().code, Code::io);
        EXPECT_NE(s.error().message.find("free some space"), std::string::npos)
            << s.error().message;
    }
    EXPECT_EQ(listing(), std::vector<std::string>{});
}

TEST_F(Files, Folders) {
    ASSERT_TRUE(make_folder(path("a/b/c")));
    EXPECT_TRUE(fs::is_directory(path("a/b/c")));
    EXPECT_TRUE(make_folder(path("a/b/c")));
    put("file", "x");
    for (char const* name : {"file", "file/below"}) {
        Status const s = make_folder(path(name));
        ASSERT_FALSE(s) << name;
        EXPECT_EQ(s.error().file, path(name));
    }
    if (::geteuid() == 0) return;  // root may write everywhere
    ASSERT_EQ(::chmod(path("a").c_str(), 0500), 0);
    EXPECT_FALSE(make_folder(path("a")));
    ASSERT_EQ(::chmod(path("a").c_str(), 0700), 0);
}

// A pipe that nobody writes into used to be waited for.
TEST_F(Files, WhatIsNoFileIsNamed) {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    int const socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::string const name = "/tmp/sluice_" + std::to_string(::getpid()) + ".sock";
    name.copy(address.sun_path, sizeof(address.sun_path) - 1);
    ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    for (auto const& [file, what] :
         std::vector<std::pair<std::string, std::string>>{{path("pipe"), "is a pipe"},
                                                          {name, "is a socket"},
                                                          {"/dev/null", "is a device"},
                                                          {path(""), "is a folder"}}) {
        auto const f = File::open(file);
        ASSERT_FALSE(f) << file;
        EXPECT_NE(f.error().message.find(what), std::string::npos) << f.error().text();
    }
    ::close(socket);
    fs::remove(name);
}

// A file in the place of /dev/null would break a machine whose owner may do everything.
TEST_F(Files, TakeThePlaceOfFilesOnly) {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    fs::create_directory(path("folder"));
    fs::create_symlink("/dev/null", path("link"));
    for (auto const& [name, what] : std::vector<std::pair<std::string, std::string>>{
             {"pipe", "is a pipe"}, {"folder", "is a folder"}, {"link", "is a device"}}) {
        auto const f = NewFile::create(path(name));
        ASSERT_FALSE(f) << name;
        EXPECT_EQ(f.error().code, Code::invalid_argument);
        EXPECT_NE(f.error().message.find(what), std::string::npos) << f.error().text();
    }
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
    EXPECT_TRUE(fs::is_symlink(path("link")));
}

// The number of a process that has ended.
std::string ended() {
    pid_t const child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    return std::to_string(child);
}

TEST_F(Files, WhatAKilledWriterLeftIsRemovedByTheNext) {
    std::string const dead = ended();
    put("a.h5.part-" + dead, "half");
    put("b.h5.part-" + dead, "another file's");
    put("a.h5.part-" + std::to_string(::getppid()), "of one that lives");
    put("a.h5.part-x", "no number");
    put("a.h5.part-", "none");
    auto file = NewFile::create(path("a.h5"));
    ASSERT_TRUE(file && file->commit());
    EXPECT_FALSE(fs::exists(path("a.h5.part-" + dead)));
    EXPECT_TRUE(fs::exists(path("b.h5.part-" + dead)));
    EXPECT_TRUE(fs::exists(path("a.h5.part-" + std::to_string(::getppid()))));
    EXPECT_TRUE(fs::exists(path("a.h5.part-x")) && fs::exists(path("a.h5.part-")));
}

// As a writer on another machine holds it, whose number means nothing here.
TEST_F(Files, ALockedFileIsNotLeft) {
    std::string const name = path("c.npy.part-" + ended());
    int const fd = ::open(name.c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_GE(fd, 0);
    ASSERT_EQ(lock_file(fd), Lock::taken);
    ASSERT_TRUE(NewFile::create(path("c.npy"))->commit());
    EXPECT_TRUE(fs::exists(name));
    ::close(fd);
}

// As a process in another container holds it, which has the same number there.
TEST_F(Files, AnotherWriterOfTheSameNumberIsLeftAlone) {
    std::string const name = unfinished_name(path("d.npy"));
    int const fd = ::open(name.c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_GE(fd, 0);
    ASSERT_EQ(lock_file(fd), Lock::taken);
    ASSERT_EQ(::write(fd, "theirs", 6), 6);
    ASSERT_TRUE(NewFile::create(path("d.npy")));
    EXPECT_EQ(listing(), std::vector<std::string>{fs::path(name).filename().string()});
    {
        auto one = NewFile::create(path("d.npy"));
        auto two = NewFile::create(path("d.npy"));
        ASSERT_TRUE(one && two);
        EXPECT_NE(one->temporary(), two->temporary());
        EXPECT_TRUE(is_unfinished(one->temporary()));
        ASSERT_TRUE(one->write(bytes_of("one")));
        ASSERT_TRUE(two->write(bytes_of("two")));
        ASSERT_TRUE(two->commit());
        EXPECT_EQ(get("d.npy"), "two");
        ASSERT_TRUE(one->commit());
        EXPECT_EQ(get("d.npy"), "one");
    }
    EXPECT_EQ(get(fs::path(name).filename()), "theirs");
    ::close(fd);
    // Nobody holds it now: it is what a killed process of this number left.
    auto after = NewFile::create(path("d.npy"));
    ASSERT_TRUE(after && after->commit());
    EXPECT_EQ(get("d.npy"), "");
    EXPECT_EQ(listing(), std::vector<std::string>{"d.npy"});
}

TEST_F(Files, WhatOthersPutUnderTheNameIsNotRemoved) {
    std::string name;
    {
        auto file = NewFile::create(path("e"));
        ASSERT_TRUE(file);
        name = file->temporary();
        // Kept, or the next file might get its number.
        fs::rename(name, path("kept"));
        put(fs::path(name).filename(), "theirs");
    }
    EXPECT_EQ(get(fs::path(name).filename()), "theirs");
}

TEST_F(Files, OtherNamesOfAKilledWriterAreRemovedToo) {
    std::string const number = std::to_string(std::stoll(ended()) + 3 * (std::int64_t{1} << 22));
    put("g.part-" + number, "half");
    ASSERT_TRUE(NewFile::create(path("g"))->commit());
    EXPECT_EQ(listing(), std::vector<std::string>{"g"});
}

TEST(Unfinished, Names) {
    for (char const* const name : {"a.part-1", "x_master.h5.part-4711"})
        EXPECT_TRUE(is_unfinished(name)) << name;
    for (char const* const name : {"a", "part-1", ".part-1", "a.part-", "a.part-1x", "a.part"})
        EXPECT_FALSE(is_unfinished(name)) << name;
}

TEST(LoadInteger, AnyAlignmentAndByteOrder) {
    std::byte bytes[12];
    for (int i = 0; i < 12; ++i) bytes[i] = static_cast<std::byte>(0x81 + i);
    for (int shift = 0; shift < 4; ++shift) {
        std::byte const* const p = bytes + shift;
        std::uint64_t big = 0, little = 0;
        for (int i = 0; i < 8; ++i) {
            big = big << 8 | static_cast<std::uint64_t>(p[i]);
            little |= static_cast<std::uint64_t>(p[i]) << 8 * i;
        }
        EXPECT_EQ(load_be<std::uint64_t>(p), big);
        EXPECT_EQ(load_le<std::uint64_t>(p), little);
        EXPECT_EQ(load_be<std::uint32_t>(p), big >> 32);
        EXPECT_EQ(load_le<std::uint32_t>(p), static_cast<std::uint32_t>(little));
        EXPECT_EQ(load_be<std::uint16_t>(p), big >> 48);
        EXPECT_EQ(load_le<std::uint16_t>(p), static_cast<std::uint16_t>(little));
        EXPECT_EQ(load_be<std::uint8_t>(p), static_cast<std::uint8_t>(p[0]));
        EXPECT_EQ(load_be<std::int16_t>(p), static_cast<std::int16_t>(big >> 48));
        EXPECT_LT(load_be<std::int64_t>(p), 0);
    }
}

TEST(LoadInteger, StoreAndLoad) {
    std::byte bytes[9] = {};
    store_be<std::uint32_t>(bytes + 1, 0x01020304);
    EXPECT_EQ(bytes[1], std::byte{1});
    EXPECT_EQ(bytes[4], std::byte{4});
    EXPECT_EQ(load_be<std::uint32_t>(bytes + 1), 0x01020304u);
    EXPECT_EQ(load_le<std::uint32_t>(bytes + 1), 0x04030201u);
    store_be<std::int64_t>(bytes + 1, -2);
    EXPECT_EQ(load_be<std::int64_t>(bytes + 1), -2);
    EXPECT_EQ(bytes[0], std::byte{0});
}

TEST(File, APipeIsRefusedAtOnce) {
    std::string const path = testing::TempDir() + "/sluice_pipe";
    ::unlink(path.c_str());
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    auto const f = File::open(path);
    ASSERT_FALSE(f);
    EXPECT_EQ(f.error().code, Code::invalid_argument);
    ::unlink(path.c_str());
}

}  // namespace
}  // namespace sluice
