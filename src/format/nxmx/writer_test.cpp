// Written acquisitions: read back frame by frame, the same for any number of threads, whole or not
// at all, and broken in the ways that are asked for.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "codec/bitshuffle/bitshuffle.h"
#include "format/frame_source.h"
#include "format/hdf5/object/dataset.h"
#include "format/nxmx/writer_library.h"

namespace sluice::nxmx {
namespace {

namespace fs = std::filesystem;
using codec::decode_bitshuffle;

/// Value `i` of an image: small, with a sentinel now and then.
std::uint32_t value_of(index image, index i) {
    std::uint32_t const h = static_cast<std::uint32_t>(image * 7919 + i) * 2654435761u;
    return h % 97 == 0 ? ~std::uint32_t{0} : h >> 28;
}

class Writer : public testing::Test {
  protected:
    Writer()
        : folder_(fs::path(testing::TempDir()) / ("sluice_nxmx_" + std::to_string(::getpid()))) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~Writer() override { fs::remove_all(folder_); }

    Acquisition acquisition(std::string const& name) const {
        Acquisition a;
        a.prefix = (folder_ / name).string();
        a.scan = {5, 7};
        a.rows = 13;
        a.cols = 11;  // 143 elements: a short block and 7 that stand verbatim
        a.frames_per_file = 10;
        a.saturation = 65534;
        a.pixel_mask.assign(143, 0);
        a.pixel_mask[17] = 0x14;
        return a;
    }
    static MakeFrame frames(Acquisition const& a) {
        auto const element = static_cast<std::size_t>(size_of(a.dtype));
        return [element](index image, std::span<std::byte> out) -> Status {
            for (std::size_t i = 0; i * element < out.size(); ++i) {
                std::uint32_t const v = value_of(image, static_cast<index>(i));
                std::memcpy(out.data() + i * element, &v, element);
            }
            return {};
        };
    }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (auto const& e : fs::directory_iterator(folder_)) all.push_back(e.path().filename());
        std::ranges::sort(all);
        return all;
    }
    static std::string bytes_of(std::string const& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    fs::path folder_;
};

/// Decodes what the source of an opened dataset gives.
std::vector<std::byte> decode(Dataset const& d, EncodedFrame const& f) {
    std::vector<std::byte> out(static_cast<std::size_t>(d.pixels() * size_of(d.dtype)));
    int const element = static_cast<int>(size_of(d.dtype));
    Status s;
    switch (f.encoding) {
        case Encoding::missing:
            break;
        case Encoding::values:
            out.assign(f.bytes.begin(), f.bytes.end());
            break;
        case Encoding::lz4:
            s = codec::decode_lz4(f.bytes, out);
            break;
        case Encoding::bitshuffle:
            s = decode_bitshuffle(f.bytes, codec::Compression::none, element, out,
                                  f.block_elements);
            break;
        case Encoding::bitshuffle_lz4:
            s = decode_bitshuffle(f.bytes, codec::Compression::lz4, element, out);
            break;
        case Encoding::bitshuffle_zstd:
            s = decode_bitshuffle(f.bytes, codec::Compression::zstd, element, out);
            break;
        default:
            ADD_FAILURE() << "the writer has no such frames";
    }
    EXPECT_TRUE(s) << s.error().text();
    return out;
}

/// Every frame of an opened acquisition is what the callback made for that channel.
void expect_frames(Dataset const& d, Acquisition const& a, index channel) {
    auto const element = static_cast<std::size_t>(size_of(a.dtype));
    auto const channels = static_cast<index>(a.channels.size());
    std::vector<EncodedFrame> frames(1);
    FetchScratch scratch;
    for (index f = 0; f < a.frames(); ++f) {
        auto const s = d.source->fetch(f, frames, scratch);
        ASSERT_TRUE(s) << s.error().text();
        std::vector<std::byte> const got = decode(d, frames[0]);
        for (index i = 0; i < d.pixels(); ++i) {
            std::uint32_t const expected = value_of(f * channels + channel, i);
            ASSERT_EQ(
                std::memcmp(got.data() + static_cast<std::size_t>(i) * element, &expected, element),
                0)
                << "frame " << f << " pixel " << i;
        }
    }
}

TEST_F(Writer, every_layout_compression_and_type_reads_back) {
    for (Layout const layout : {Layout::legacy, Layout::v2024})
        for (Compression const c :
             {Compression::bslz4, Compression::bszstd, Compression::bitshuffle, Compression::lz4,
              Compression::gzip, Compression::none})
            for (DType const t : {DType::u8, DType::u16, DType::u32}) {
                Acquisition a = acquisition("a");
                a.layout = layout;
                a.compression = c;
                a.dtype = t;
                auto const files = write(a, frames(a));
                ASSERT_TRUE(files) << files.error().text();
                EXPECT_EQ(files->size(), 6u);
                EXPECT_EQ(files->back(), a.prefix + "_master.h5");
                auto const d = sluice::open(files->back());
                ASSERT_TRUE(d) << d.error().text();
                EXPECT_EQ(d->format, "nxmx");
                EXPECT_EQ(d->scan, a.scan);
                EXPECT_EQ(d->rows, a.rows);
                EXPECT_EQ(d->cols, a.cols);
                EXPECT_EQ(d->dtype, t);
                EXPECT_EQ(d->saturation, a.saturation);
                EXPECT_EQ(d->pixel_mask, a.pixel_mask);
                EXPECT_NEAR(d->dwell_s, a.dwell_s, 1e-12);
                EXPECT_NEAR(d->scan_step_nm, a.scan_step_nm, 1e-12);
                expect_frames(*d, a, 0);
                if (HasFatalFailure()) return;
            }
}

TEST_F(Writer, channels_are_told_apart) {
    Acquisition a = acquisition("a");
    a.layout = Layout::v2024;
    a.channels = {"threshold_1", "threshold_2", "difference"};
    ASSERT_TRUE(write(a, frames(a)));
    for (index channel = 0; channel < 3; ++channel) {
        OpenOptions options;
        options.format.of<NxmxOptions>().channel = a.channels[static_cast<std::size_t>(channel)];
        auto const d = sluice::open(a.prefix + "_master.h5", options);
        ASSERT_TRUE(d) << d.error().text();
        expect_frames(*d, a, channel);
    }
}

TEST_F(Writer, the_bytes_do_not_depend_on_threads_or_time) {
    Acquisition a = acquisition("a"), b = acquisition("b");
    a.threads = 1;
    b.threads = 5;
    a.layout = b.layout = Layout::v2024;
    auto const one = write(a, frames(a));
    ::sleep(1);
    auto const five = write(b, frames(b));
    ASSERT_TRUE(one && five);
    ASSERT_EQ(one->size(), five->size());
    for (std::size_t i = 0; i + 1 < one->size(); ++i)  // the master names its files
        EXPECT_EQ(bytes_of((*one)[i]), bytes_of((*five)[i])) << (*one)[i];
}

TEST_F(Writer, a_cancelled_or_failed_acquisition_leaves_nothing) {
    Acquisition const a = acquisition("a");
    std::uint64_t const image = 286;
    std::uint64_t last = 0;
    auto const cancelled = write(a, frames(a), [&](std::uint64_t done, std::uint64_t) {
        last = done;
        return done < 20 * image;
    });
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, Code::cancelled);
    EXPECT_EQ(last, 20 * image);
    EXPECT_TRUE(names().empty());

    auto const failed = write(a, [](index image, std::span<std::byte>) -> Status {
        if (image == 33) return Error{Code::io, "no more electrons"};
        return {};
    });
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().message, "no more electrons");
    EXPECT_TRUE(names().empty());
}

TEST_F(Writer, a_full_disk_is_an_error_and_leaves_nothing) {
    Acquisition a = acquisition("a");
    a.rows = a.cols = 512;
    a.pixel_mask.clear();
    a.compression = Compression::none;
    auto const earlier = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    for (rlim_t const most : {1000ul, 3000000ul}) {
        rlimit const small{most, limit.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
        auto const files = write(a, frames(a));
        ::setrlimit(RLIMIT_FSIZE, &limit);
        ASSERT_FALSE(files);
        EXPECT_EQ(files.error().code, Code::io);
        EXPECT_NE(files.error().message.find("free some space"), std::string::npos);
        EXPECT_TRUE(names().empty());
    }
    std::signal(SIGXFSZ, earlier);
    EXPECT_TRUE(write(a, frames(a)));
}

TEST_F(Writer, progress_ends_at_all_bytes) {
    Acquisition const a = acquisition("a");
    std::vector<std::uint64_t> seen;
    ASSERT_TRUE(write(a, frames(a), [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_EQ(total, 35u * 286);
        seen.push_back(done / 286);
        return true;
    }));
    EXPECT_EQ(seen, (std::vector<std::uint64_t>{10, 20, 30, 35}));
}

TEST_F(Writer, impossible_acquisitions_are_refused_before_a_file_is_made) {
    auto const refuse = [&](auto const& change) {
        Acquisition a = acquisition("a");
        change(a);
        auto const files = write(a, frames(a));
        ASSERT_FALSE(files);
        EXPECT_EQ(files.error().code, Code::invalid_argument);
        EXPECT_TRUE(names().empty());
    };
    refuse([](Acquisition& a) { a.scan = {0, 4}; });
    refuse([](Acquisition& a) { a.rows = -1; });
    refuse([](Acquisition& a) { a.rows = a.cols = 1 << 20; });
    refuse([](Acquisition& a) { a.dtype = DType::f32; });
    refuse([](Acquisition& a) { a.channels = {}; });
    refuse([](Acquisition& a) { a.channels = {"threshold_1", "threshold_2"}; });
    refuse([](Acquisition& a) { a.pixel_mask.resize(142); });
    refuse([](Acquisition& a) { a.frames_per_file = 0; });
    refuse([](Acquisition& a) { a.scan = {1000, 1}, a.frames_per_file = 1; });
    refuse(
        [](Acquisition& a) { a.damage = Damage::zero_block, a.compression = Compression::none; });
    refuse([](Acquisition& a) { a.damage = Damage::wrong_shape, a.rows = 1, a.cols = 143; });
}

class Damaged : public Writer {
  protected:
    Acquisition write_damaged(Damage damage, index frames_per_file = 10) {
        Acquisition a = acquisition("a");
        a.damage = damage;
        a.frames_per_file = frames_per_file;
        auto const files = write(a, frames(a));
        EXPECT_TRUE(files) << files.error().text();
        return a;
    }
    hdf5::Handle open_frames(std::string const& name) const {
        hdf5::Handle const file(H5Fopen((folder_ / name).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                                H5Fclose);
        return {H5Dopen2(file.id(), "/entry/data/data", H5P_DEFAULT), H5Dclose};
    }
    /// The chunk of one frame as it lies in the file.
    std::vector<std::byte> chunk(std::string const& name, index frame) const {
        hdf5::LibraryLock lock;
        hdf5::Handle const set = open_frames(name);
        std::array<hsize_t, 3> const at{static_cast<hsize_t>(frame), 0, 0};
        hsize_t size = 0;
        H5Dget_chunk_storage_size(set.id(), at.data(), &size);
        std::vector<std::byte> bytes(size);
        std::uint32_t mask = 0;
        H5Dread_chunk(set.id(), H5P_DEFAULT, at.data(), &mask, bytes.data());
        return bytes;
    }
    std::vector<std::uint64_t> extent(std::string const& name) const {
        auto const file = hdf5::object::Object::open_file((folder_ / name).string());
        auto const d = file ? file->find("/entry/data/data") : file.error();
        EXPECT_TRUE(d && *d);
        return hdf5::object::dataset_info(**d)->space.extent;
    }
};

TEST_F(Damaged, missing_file_lacks_the_last_one_even_of_a_single) {
    write_damaged(Damage::missing_file);
    EXPECT_EQ(names(), (std::vector<std::string>{"a.h5", "a_data_000001.h5", "a_data_000002.h5",
                                                 "a_data_000003.h5", "a_master.h5"}));
    write_damaged(Damage::missing_file, 1000);
    EXPECT_FALSE(sluice::open((folder_ / "a_master.h5").string()));
}

TEST_F(Damaged, truncated_ends_early) {
    write_damaged(Damage::none);
    auto const whole = fs::file_size(folder_ / "a_data_000004.h5");
    write_damaged(Damage::truncated);
    EXPECT_EQ(fs::file_size(folder_ / "a_data_000004.h5"), whole / 2);
    EXPECT_FALSE(sluice::open((folder_ / "a_master.h5").string()));
}

TEST_F(Damaged, one_frame_has_a_broken_chunk) {
    std::vector<std::byte> values(286);
    for (Damage const damage : {Damage::lz4_garbage, Damage::zero_block, Damage::wrong_total}) {
        write_damaged(damage);
        auto const read = [&](index frame) {
            return decode_bitshuffle(chunk("a_data_000002.h5", frame), codec::Compression::lz4, 2,
                                     values);
        };
        EXPECT_TRUE(read(6));
        EXPECT_FALSE(read(7));  // frame 17 of 35
        EXPECT_TRUE(read(8));
    }
}

TEST_F(Damaged, the_last_file_differs) {
    write_damaged(Damage::missing_frames);
    EXPECT_EQ(extent("a_data_000004.h5"), (std::vector<std::uint64_t>{4, 13, 11}));
    auto const d = sluice::open((folder_ / "a_master.h5").string());
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
    write_damaged(Damage::wrong_shape);
    EXPECT_EQ(extent("a_data_000004.h5"), (std::vector<std::uint64_t>{5, 6, 11}));
    EXPECT_FALSE(sluice::open((folder_ / "a_master.h5").string()));
    write_damaged(Damage::wrong_dtype);
    EXPECT_FALSE(sluice::open((folder_ / "a_master.h5").string()));
}

}  // namespace
}  // namespace sluice::nxmx
