// A file of tables that is not the scan's own, or damaged, is left alone; it is whole or not there.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <thread>

#include "domain/stem4d/tables_test.h"

namespace sluice::stem4d::tables_test {
namespace {

// The scan as it was, with something changed: what the note says.
TEST_F(TablesOfFiles, AreRefusedWhenAnythingChanged) {
    std::string const path = nxmx({19, 37});
    make(path);
    auto const note = [&](LoadOptions const& load) {
        Scan const scan = streamed(path, {}, load);
        EXPECT_FALSE(scan.tables());
        auto const notes = scan.tables_notes();
        return notes.size() == 1 ? notes.front() : std::string("none");
    };
    auto const expect = [&](LoadOptions const& load, std::string const& why) {
        EXPECT_NE(note(load).find("is not used (" + why), std::string::npos) << note(load);
    };
    auto const all = loads();
    expect(all[1], "the binning differs");
    expect(all[2], "the scan region differs");
    expect(all[4], "the scan step differs");
    expect(all[5], "the mask differs");
    expect(all[6], "the search for hot pixels differs");
    EXPECT_TRUE(streamed(path, {}, {}).tables());
    EXPECT_FALSE(streamed(path, {}, {}, Tables::none).tables());
    std::string const data = (folder_ / "si_data_000002.h5").string();
    auto const time = fs::last_write_time(data);
    fs::last_write_time(data, time + std::chrono::milliseconds(1));
    expect({}, "the file si_data_000002.h5 has another size or time");
    fs::last_write_time(data, time);
    EXPECT_TRUE(streamed(path, {}, {}).tables());
    std::ofstream(data, std::ios::app) << "more";
    fs::last_write_time(data, time);
    expect({}, "the file si_data_000002.h5 has another size or time");
}

// A byte of each part, and each length: the answer stays that of the frames.
TEST_F(TablesOfFiles, AreNotBelievedWhereTheyAreDamaged) {
    std::string const path = nxmx({19, 37});
    std::string const file = make(path, {}, {}, {.center = Point{19, 22}}).file;
    auto const whole = read_file(file, 1 << 28).value();
    TablesHead const head = TablesFile::parse(whole).value();
    std::uint64_t const head_end = std::min(head.rings.at, head.moments.at);
    std::vector<std::uint64_t> places{0, 8, 12, 20, 28, head_end - 1};
    auto const add = [&](Stretch const& s) {
        if (s.bytes == 0) return;
        for (std::uint64_t const at : {s.at, s.at + s.bytes / 2, s.at + s.bytes - 1})
            places.push_back(at);
    };
    add(head.moments), add(head.rings);
    for (std::size_t k = 0; k < head.below.size(); k += 9) add(head.below[k]), add(head.own[k]);
    for (auto const& level : head.squares) add(level.front()), add(level.back());
    Scan const without = streamed(path, {}, {}, Tables::none);
    auto const write = [&](std::span<std::byte const> bytes) {
        std::ofstream(file, std::ios::binary | std::ios::trunc)
            .write(reinterpret_cast<char const*>(bytes.data()), std::ssize(bytes));
    };
    for (std::uint64_t const at : places) {
        auto bytes = whole;
        bytes[at] ^= static_cast<std::byte>(1U << at % 8);
        write(bytes);
        Scan const with = streamed(path, {}, {});
        EXPECT_EQ(with.tables() == nullptr, at < head_end) << at;
        compare(with, without, {19, 22});
    }
    for (std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{27}, std::size_t{200},
                             whole.size() / 2, whole.size() - 1}) {
        write(std::span(whole).first(size));
        Scan const with = streamed(path, {}, {});
        compare(with, without, {19, 22});
        EXPECT_EQ(with.tables() == nullptr, size < head_end) << size;
    }
    write(whole);
    EXPECT_EQ(compare(streamed(path, {}, {}), without, {19, 22}), 14);
}

TEST_F(TablesOfFiles, NotesOfDamagedPartsNameTheFile) {
    std::string const path = nxmx({19, 37});
    std::string const file = make(path).file;
    std::uint64_t const at = TablesFile::open(file).value().head().moments.at;
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary)
        .seekp(static_cast<std::streamoff>(at))
        .put('\x7f');
    Scan const scan = streamed(path, {}, {});
    ASSERT_TRUE(center_of_mass(scan));
    ASSERT_EQ(scan.tables_notes().size(), 1U);
    EXPECT_NE(scan.tables_notes()[0].find("a part of " + file +
                                          " is not used (the file of tables "
                                          "is damaged (a part of it has another digest)"),
              std::string::npos)
        << scan.tables_notes()[0];
}

TEST_F(TablesOfFiles, AreWholeAfterTwoWritersAtOnce) {
    std::string const path = nxmx({19, 37});
    std::vector<std::thread> writers;
    for (int w = 0; w < 2; ++w)
        writers.emplace_back([&] {
            for (int i = 0; i < 3; ++i) make(path, {}, {}, {.center = Point{19, 22}});
        });
    for (auto& w : writers) w.join();
    EXPECT_EQ(compare(streamed(path, {}, {}), streamed(path, {}, {}, Tables::none), {19, 22}), 14);
    for (auto const& entry : fs::directory_iterator(folder_))
        EXPECT_EQ(entry.path().string().find("part-"), std::string::npos) << entry.path();
}

TEST_F(TablesOfFiles, AreRefusedWhereTheyCannotBe) {
    std::string const path = nxmx({5, 5});
    Scan const scan = streamed(path, {}, {});
    auto made = tables(scan, {.out = path});
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().message.find("is no file of tables"), std::string::npos);
    Scan const means = streamed(path, {}, {.det_bin = 2, .bin_mode = BinMode::mean});
    EXPECT_FALSE(tables(means));
    Scan const values = streamed(path, {}, {.layout = Layout::dense});
    EXPECT_FALSE(tables(values));
    EXPECT_FALSE(
        tables(Scan::load(open("synthetic:stem4d?scan=4x4&detector=16x16").value()).value()));
    fs::create_directory(path + ".sluice-tables");
    made = tables(scan);
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().text().find("folder"), std::string::npos) << made.error().text();
}

}  // namespace
}  // namespace sluice::stem4d::tables_test
