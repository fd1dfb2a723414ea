// Masters whose data files appear, and HDF5 files that one writes with SWMR.
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <filesystem>
#include <optional>
#include <thread>
#include <type_traits>

#include "format/decode_frame.h"
#include "format/nxmx/test_arina.h"
#include "net/files/files.h"
#include "net/files/growing.h"
#include "net/test_receiver.h"

namespace sluice::net::files {
namespace {

using namespace hdf5::test;
using hdf5::Handle;
using hdf5::LibraryLock;
using nxmx::Arina;

class LiveHdf5 : public Arina {
  protected:
    TestReceiver r;
    std::string why = "?";

    void watch(std::string const& path, OpenOptions open = {}, double patience_s = 0.4) {
        r.stream = Files::watch(path, {.patience_s = patience_s, .open = std::move(open)}).value();
    }
    std::optional<Series> begun() {
        auto series = r.stream->wait_for_series(r.bounded());
        EXPECT_TRUE(series) << series.error().text();
        return series ? *series : std::nullopt;
    }
    // A character for each frame: '+' where it has the pattern.
    template <class Writer>
    std::string come(index frames, Writer const& writer) {
        FrameRing ring({.name = "test", .frames = frames});
        std::jthread const writing([&] {
            if constexpr (std::is_invocable_v<Writer, FrameRing const&>)
                writer(ring);
            else
                writer();
        });
        r.stream->receive(ring, [] { return true; });
        why = ring.why_ended();
        std::vector<EncodedFrame> out(static_cast<std::size_t>(frames));
        FetchScratch scratch;
        if (Status s = ring.fetch(0, out, scratch); !s) return s.error().message;
        std::string text;
        for (index f = 0; f < frames; ++f) {
            EncodedFrame const& e = out[static_cast<std::size_t>(f)];
            std::vector<std::uint16_t> v(nxmx::pixels);
            auto const room = std::as_writable_bytes(std::span(v));
            bool const read = decode_frame(e, {nxmx::rows, nxmx::cols, 2}, room).operator bool();
            bool const same = read && v == frame<std::uint16_t>(f, nxmx::pixels);
            text += e.encoding == Encoding::missing ? '.' : same ? '+' : 'x';
        }
        return text;
    }
    void add_file(int i) {
        // Under its name from the first byte on.
        nxmx::write_data_file(folder + "/" + data_name(i + 1), 4 * i, 4);
    }
    void make_master(int files) {
        Handle const file = create_file(master);
        nxmx::write_detector(file.id(), 4.0 * files, 1, "exts");
        for (int i = 0; i < files; ++i)
            nxmx::link_data(file.id(), fmt::format("data_{:06d}", i + 1), data_name(i + 1));
    }
    static Handle swmr_file(std::string const& path, hsize_t frames_per_chunk, Handle& data,
                            int filter = 0) {
        Handle file = create_file(path, true);
        Spec spec{.extent = {0, nxmx::rows, nxmx::cols},
                  .chunk = {frames_per_chunk, nxmx::rows, nxmx::cols},
                  .max = {H5S_UNLIMITED, nxmx::rows, nxmx::cols}};
        if (filter != 0) spec.filter = filter, spec.values = {0, 3, 2, 0, 2};
        data = make_dataset(file.id(), "/data", spec);
        LibraryLock lock;
        EXPECT_GE(H5Fstart_swmr_write(file.id()), 0);
        return file;
    }
    static void append(Handle const& data, index f, bool packed) {
        LibraryLock lock;
        hsize_t const extent[] = {static_cast<hsize_t>(f + 1), nxmx::rows, nxmx::cols};
        EXPECT_GE(H5Dset_extent(data.id(), extent), 0);
        auto const v = frame<std::uint16_t>(f, nxmx::pixels);
        write_chunk(data, {static_cast<hsize_t>(f), 0, 0},
                    packed ? Bytes(codec::encode_bitshuffle_lz4(bytes_of(v), 2)) : bytes_of(v));
        EXPECT_GE(H5Dflush(data.id()), 0);
    }
};

TEST_F(LiveHdf5, DataFilesAppearOneAfterTheOther) {
    watch(master);
    make_master(3);
    add_file(0);
    auto const series = begun();
    ASSERT_TRUE(series);
    EXPECT_EQ(series->name, "scan");
    EXPECT_EQ(series->images, 12);
    EXPECT_EQ(series->dataset.saturation, 8352U);
    EXPECT_EQ(come(12,
                   [&] {
                       for (int i = 1; i < 3; ++i) {
                           add_file(i);
                           std::this_thread::sleep_for(std::chrono::milliseconds(30));
                       }
                   }),
              "++++++++++++");
    EXPECT_EQ(why, "");
}

// A file is opened once more when it has not changed for a while, and then no more.
TEST_F(LiveHdf5, DataFilesThatDoNotChangeAreNotOpenedAgain) {
    make_master(4);
    for (int i = 0; i < 2; ++i) add_file(i);
    Growing growing(master, {}, std::chrono::milliseconds{0});
    auto when = std::filesystem::last_write_time(folder);
    auto now = Growing::Clock::now();  // of the looks, however long they take
    auto const look = [&] {
        std::filesystem::last_write_time(folder, when += std::chrono::seconds(1));
        EXPECT_TRUE(growing.look(now));
        EXPECT_FALSE(growing.trouble());
        index count = 0;
        for (auto images = growing.take(); !images.empty(); images = growing.take())
            count += std::ssize(images);
        return count;
    };
    auto const settle = [&] { now += std::chrono::milliseconds(110); };
    EXPECT_EQ(look(), 8);
    EXPECT_EQ(growing.opened_files(), 2);
    EXPECT_EQ(look(), 0);
    EXPECT_EQ(growing.opened_files(), 4);
    settle();
    EXPECT_EQ(look(), 0);
    EXPECT_EQ(growing.opened_files(), 6);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(look(), 0);
    EXPECT_EQ(growing.opened_files(), 6);
    add_file(2);
    EXPECT_EQ(look(), 4);
    EXPECT_EQ(growing.opened_files(), 7);
    settle();
    look();
    index const before = growing.opened_files();
    settle();
    look();
    settle();
    look();
    EXPECT_EQ(growing.opened_files(), before + 1);
    std::filesystem::last_write_time(folder + "/" + data_name(1), when);
    look();
    EXPECT_EQ(growing.opened_files(), before + 2);
}

TEST_F(LiveHdf5, APrefixMeansItsMaster) {
    make_master(1);
    add_file(0);
    watch(folder + "/scan");
    ASSERT_TRUE(begun());
    EXPECT_EQ(come(4, [] {}), "++++");
}

TEST_F(LiveHdf5, AFileThatNeverComesIsMissing) {
    make_master(3);
    add_file(0);
    watch(master);
    ASSERT_TRUE(begun());
    EXPECT_EQ(come(12, [&] { add_file(2); }), "++++....++++");
    EXPECT_NE(why.find("nothing was written"), std::string::npos) << why;
}

TEST_F(LiveHdf5, ADatasetThatGrowsBySwmr) {
    for (bool const packed : {false, true}) {
        std::string const path = folder + (packed ? "/packed.h5" : "/plain.h5");
        Handle data = make_dataset(create_file(folder + "/x.h5").id(), "/x", {.extent = {1}});
        Handle const file = swmr_file(path, 1, data, packed ? 32008 : 0);
        watch(path, {.scan_shape = {{2, 4}}}, 2);
        append(data, 0, packed);
        auto const series = begun();
        ASSERT_TRUE(series);
        EXPECT_EQ(series->images, 0);
        EXPECT_EQ(come(8,
                       [&] {
                           for (index f = 1; f < 8; ++f) append(data, f, packed);
                       }),
                  "++++++++");
        EXPECT_EQ(why, "");
    }
}

// A run that is begun again under the same name, in the same file.
TEST_F(LiveHdf5, AFileThatIsWrittenAnewEnds) {
    std::string const path = folder + "/again.h5";
    Handle data = make_dataset(create_file(folder + "/x.h5").id(), "/x", {.extent = {1}});
    std::optional<Handle> file = swmr_file(path, 1, data, 32008);
    watch(path, {.scan_shape = {{2, 4}}}, 20);
    append(data, 0, true);
    ASSERT_TRUE(begun());
    std::atomic<bool> over = false;
    EXPECT_EQ(come(8,
                   [&](FrameRing const& ring) {
                       for (index f = 1; f < 4; ++f) append(data, f, true);
                       auto const wanted = r.bounded();
                       while (ring.state().received < 4 && wanted())
                           std::this_thread::sleep_for(std::chrono::milliseconds{1});
                       data =
                           make_dataset(create_file(folder + "/y.h5").id(), "/y", {.extent = {1}});
                       file.reset();
                       file = swmr_file(path, 1, data, 32008);
                       append(data, 0, true);
                       over = true;
                   }),
              "++++....");
    EXPECT_TRUE(over);
    EXPECT_NE(why.find("written anew"), std::string::npos) << why;
}

TEST_F(LiveHdf5, ChunksOfSeveralFramesAreRefused) {
    Handle data = make_dataset(create_file(folder + "/x.h5").id(), "/x", {.extent = {1}});
    Handle const file = swmr_file(folder + "/many.h5", 4, data);
    {
        LibraryLock lock;
        hsize_t const extent[] = {4, nxmx::rows, nxmx::cols};
        EXPECT_GE(H5Dset_extent(data.id(), extent), 0);
        EXPECT_GE(H5Dflush(data.id()), 0);
    }
    watch(folder + "/many.h5", {.scan_shape = {{2, 4}}});
    auto const series = r.stream->wait_for_series(r.bounded());
    ASSERT_FALSE(series);
    EXPECT_NE(series.error().message.find("several frames in a piece"), std::string::npos)
        << series.error().text();
}

TEST_F(LiveHdf5, ADamagedChunkIsTriedUntilTheEnd) {
    make_master(1);
    std::string const path = folder + "/" + data_name(1);
    {
        Handle const file = create_file(path, true);
        Handle const d = make_dataset(file.id(), "/entry/data/data",
                                      {.extent = {4, nxmx::rows, nxmx::cols},
                                       .chunk = {1, nxmx::rows, nxmx::cols},
                                       .filter = 32008,
                                       .values = {0, 3, 2, 0, 2}});
        for (index f = 0; f < 4; ++f) {
            auto const v = frame<std::uint16_t>(f, nxmx::pixels);
            auto chunk = codec::encode_bitshuffle_lz4(bytes_of(v), 2);
            if (f == 2) std::fill(chunk.begin(), chunk.end(), std::byte{});
            write_chunk(d, {static_cast<hsize_t>(f), 0, 0}, chunk);
        }
    }
    watch(master);
    ASSERT_TRUE(begun());
    EXPECT_EQ(come(4, [] {}), "++.+");
    EXPECT_NE(r.first("images that cannot be read").find("1, image 2: "), std::string::npos);
}

}  // namespace
}  // namespace sluice::net::files
