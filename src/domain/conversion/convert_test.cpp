// Scans as files of every format that is written, read back by the program's own readers.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/with_type.h"
#include "format/described.h"
#include "sluice/memory_dataset.h"
#include "sluice/scan_values.h"
#include "sluice/stem4d_convert.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

namespace fs = std::filesystem;

class Conversion : public testing::Test {
  protected:
    void SetUp() override {
        auto const* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::path(testing::TempDir()) /
                  (std::string("sluice_conversion_") + test->name() + std::to_string(::getpid()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string file(std::string const& name) const { return folder_ / name; }

    /// Values from which frame and pixel can be told, all ones among them.
    Dataset made(DType type, std::array<index, 4> shape) {
        index const count = shape[0] * shape[1] * shape[2] * shape[3];
        bytes_.assign(static_cast<std::size_t>(count * size_of(type)), std::byte{});
        with_detector_type(type, [&]<class T>(T) {
            auto* const to = reinterpret_cast<T*>(bytes_.data());
            for (index i = 0; i < count; ++i)
                to[i] = static_cast<T>(i % 97 == 5 ? ~std::uint64_t{0} >> 40 : (i * 7) % 251);
        });
        Dataset d = from_memory({.data = bytes_.data(), .dtype = type, .shape = shape}).value();
        d.energy_kv = 300, d.semiangle_mrad = 21.4;
        d.scan_step_nm = 0.25, d.detector_step_mrad = 0.5;
        d.detector_turn = DetectorTurn{-12.5, true};
        d.dwell_s = 1e-3;
        d.saturation = 200;
        if (type != DType::f32) d.sentinel = true;
        d.pixel_mask.assign(static_cast<std::size_t>(shape[2] * shape[3]), 0);
        d.pixel_mask[3] = 2;
        d.metadata = {{"sample", "gold on \"carbon\"", ""}, {"tilt", "-3.5", "deg"}};
        return d;
    }

    static std::vector<std::byte> values_of(Dataset d) {
        LoadOptions options;
        options.as_stored = true;
        options.residency = Residency::stream;
        Scan const scan = Scan::load(std::move(d), options).value();
        std::vector<index> frames;
        for (index f = 0; f < scan.plan().frames(); ++f) frames.push_back(f);
        std::vector<std::byte> out(scan.plan().dense_bytes());
        Region const all{0, 0, scan.plan().rows, scan.plan().cols};
        read_frames(scan, frames, all, out).value();
        return out;
    }

    static Scan streamed(Dataset d, LoadOptions const& options = {}) {
        return Scan::load(std::move(d), convert_load_options(options)).value();
    }

    fs::path folder_;
    std::vector<std::byte> bytes_;
};

struct Case {
    char const* name;
    bool floats, all_carried;
};
constexpr Case cases[] = {{"s.zarr", true, true},  {"s_master.h5", false, true},
                          {"s.emd", true, true},   {"s.hspy", true, true},
                          {"s.zspy", true, true},  {"s.npy", true, false},
                          {"s.mib", false, false}, {"s.raw", true, true}};

TEST_F(Conversion, EveryFormatHasEveryValueAndSaysWhatItLacks) {
    for (Case const& c : cases)
        for (DType const type : {DType::u8, DType::u16, DType::u32, DType::f32}) {
            std::string const path = file(std::string(name_of(type)) + c.name);
            SCOPED_TRACE(path);
            Dataset const d = made(type, {5, 7, 9, 13});
            auto const report = convert(streamed(d), path, {.verify = true});
            if (type == DType::f32 && !c.floats) {
                ASSERT_FALSE(report);
                EXPECT_EQ(report.error().code, Code::unsupported);
                EXPECT_FALSE(fs::exists(path));
                continue;
            }
            ASSERT_TRUE(report) << report.error().text();
            EXPECT_TRUE(report->verified);
            auto const again = open(path);
            ASSERT_TRUE(again) << again.error().text();
            EXPECT_EQ(again->scan, d.scan);
            EXPECT_EQ(again->rows, 9);
            EXPECT_EQ(again->cols, 13);
            EXPECT_EQ(again->dtype, type);
            EXPECT_TRUE(values_of(*again) == bytes_);
            EXPECT_EQ(report->not_carried.empty(), c.all_carried)
                << (report->not_carried.empty() ? "" : report->not_carried.front());
            for (auto const& entry : fs::directory_iterator(folder_)) {
                EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry;
                EXPECT_EQ(entry.path().string().find(".lock"), std::string::npos) << entry;
            }
        }
}

TEST_F(Conversion, CodecsHaveTheSameValues) {
    struct Codec {
        char const* name;
        ScanCodec codec;
    };
    for (Codec const& c :
         {Codec{"a.zarr", ScanCodec::blosc_lz4}, Codec{"b.zarr", ScanCodec::zstd},
          Codec{"c.zarr", ScanCodec::none}, Codec{"d.zspy", ScanCodec::blosc_zstd},
          Codec{"e_master.h5", ScanCodec::bszstd}, Codec{"f_master.h5", ScanCodec::none}}) {
        Dataset const d = made(DType::u16, {3, 40, 8, 8});
        auto const report = convert(streamed(d), file(c.name), {.codec = c.codec, .verify = true});
        ASSERT_TRUE(report) << report.error().text();
        EXPECT_TRUE(values_of(open(file(c.name)).value()) == bytes_) << c.name;
    }
    Dataset const d = made(DType::u16, {3, 4, 8, 8});
    for (char const* name : {"x.npy", "x_master.h5", "x.emd"})
        EXPECT_EQ(convert(streamed(d), file(name), {.codec = ScanCodec::zstd}).error().code,
                  Code::invalid_argument);
}

// Each flipped bit, in values and in indexes of shards, is found: a change of values never passes.
TEST_F(Conversion, DamageOfZarrIsFoundWithEveryCodec) {
    Dataset const d = made(DType::u16, {2, 5, 8, 8});
    for (ScanCodec const codec :
         {ScanCodec::blosc_lz4, ScanCodec::blosc_zstd, ScanCodec::zstd, ScanCodec::none}) {
        ASSERT_TRUE(convert(streamed(d), file("a.zarr"), {.codec = codec}));
        std::string const shard = file("a.zarr/data/c/0/0/0/0");
        auto const size = static_cast<index>(fs::file_size(shard));
        ASSERT_GT(size, 100);
        for (index at = 0; at < size; at += 7) {
            std::fstream bytes(shard, std::ios::in | std::ios::out | std::ios::binary);
            bytes.seekg(at);
            auto const good = static_cast<char>(bytes.get());
            bytes.seekp(at).put(static_cast<char>(good ^ 1 << at % 8)).flush();
            auto const again = open(file("a.zarr"));
            ASSERT_TRUE(again);
            LoadOptions options;
            options.as_stored = true;
            EXPECT_FALSE(Scan::load(*again, options)) << at;
            bytes.seekp(at).put(good);
        }
        EXPECT_TRUE(values_of(open(file("a.zarr")).value()) == bytes_);
        fs::remove_all(file("a.zarr"));
    }
}

TEST_F(Conversion, RegionsAndBinsAreThoseOfTheScan) {
    LoadOptions options;
    options.scan_region = Region{1, 2, 3, 4};
    options.detector_region = Region{0, 2, 8, 10};
    options.det_bin = 2;
    Scan const scan = streamed(made(DType::u16, {5, 7, 9, 13}), options);
    auto const report = convert(scan, file("r.zarr"), {.verify = true});
    ASSERT_TRUE(report) << report.error().text();
    Dataset const again = open(file("r.zarr")).value();
    EXPECT_EQ(again.scan, (std::array<index, 2>{3, 4}));
    EXPECT_EQ(again.rows, 4);
    EXPECT_EQ(again.cols, 5);
    EXPECT_EQ(again.dtype, DType::u32);
    EXPECT_DOUBLE_EQ(again.detector_step_mrad, 1.0);
    EXPECT_FALSE(again.sentinel);
    EXPECT_FALSE(report->notes.empty());
}

TEST_F(Conversion, GoesOnAfterItWasStopped) {
    Dataset const d = open("synthetic:stem4d?scan=40x40&detector=64x64").value();
    LoadOptions one;
    one.device = Device::cpu().host(1);
    for (char const* name : {"s.zarr", "s.npy", "s.emd"}) {
        ScanConvertOptions stopping{
            .progress = [](std::uint64_t done, std::uint64_t) { return done == 0; }};
        auto const stopped = convert(streamed(d, one), file(name), stopping);
        ASSERT_FALSE(stopped);
        EXPECT_EQ(stopped.error().code, Code::cancelled);
        EXPECT_FALSE(fs::exists(file(name)));
        EXPECT_FALSE(convert(streamed(d), file(name)));  // neither --resume nor --force
        auto const resumed = convert(streamed(d), file(name), {.verify = true, .resume = true});
        ASSERT_TRUE(resumed) << resumed.error().text();
        EXPECT_TRUE(resumed->resumed);
        EXPECT_GT(resumed->blocks_kept, 0) << name;
        EXPECT_TRUE(values_of(open(file(name)).value()) == values_of(d));
    }
}

TEST_F(Conversion, DamagedBlocksAreMadeAgain) {
    Dataset const d = open("synthetic:stem4d?scan=40x40&detector=64x64").value();
    LoadOptions one;
    one.device = Device::cpu().host(1);
    int calls = 0;
    ScanConvertOptions stopping{
        .progress = [&](std::uint64_t done, std::uint64_t) { return done == 0 || ++calls < 3; }};
    ASSERT_FALSE(convert(streamed(d, one), file("s.npy"), stopping));
    {
        std::fstream part(file("s.npy.part"), std::ios::in | std::ios::out | std::ios::binary);
        part.seekp(5000);
        part.put('\x7f');
    }
    auto const resumed = convert(streamed(d), file("s.npy"), {.resume = true});
    ASSERT_TRUE(resumed) << resumed.error().text();
    EXPECT_TRUE(values_of(open(file("s.npy")).value()) == values_of(d));
}

TEST_F(Conversion, OtherOptionsAreNotGoneOnWith) {
    Dataset const d = open("synthetic:stem4d?scan=40x40&detector=64x64").value();
    ScanConvertOptions stopping{
        .progress = [](std::uint64_t done, std::uint64_t) { return done == 0; }};
    ASSERT_FALSE(convert(streamed(d), file("s.npy"), stopping));
    LoadOptions other;
    other.scan_region = Region{0, 0, 40, 39};
    auto const refused = convert(streamed(d, other), file("s.npy"), {.resume = true});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("other options"), std::string::npos);
    EXPECT_TRUE(convert(streamed(d, other), file("s.npy"), {.overwrite = true}));
}

TEST_F(Conversion, ArraysInMemoryAreNotGoneOnWith) {
    ScanConvertOptions stopping{
        .progress = [](std::uint64_t done, std::uint64_t) { return done == 0; }};
    ASSERT_FALSE(convert(streamed(made(DType::u16, {40, 40, 64, 64})), file("s.npy"), stopping));
    auto const refused =
        convert(streamed(made(DType::u16, {40, 40, 64, 64})), file("s.npy"), {.resume = true});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("array in memory"), std::string::npos);
}

TEST_F(Conversion, WhatIsThereIsNotReplacedUnasked) {
    Dataset const d = made(DType::u8, {2, 3, 4, 5});
    std::ofstream(file("s.npy")) << "mine";
    EXPECT_FALSE(convert(streamed(d), file("s.npy")));
    EXPECT_EQ(fs::file_size(file("s.npy")), 4U);
    EXPECT_TRUE(convert(streamed(d), file("s.npy"), {.overwrite = true}));
    EXPECT_TRUE(values_of(open(file("s.npy")).value()) == bytes_);
    EXPECT_EQ(convert(streamed(d), file("s.tiff")).error().code, Code::invalid_argument);
}

// Chunks hold other numbers of frames than units.
TEST_F(Conversion, FramesAreReadOnce) {
    Dataset const d = made(DType::u16, {3, 40, 160, 160});
    auto const* const values = reinterpret_cast<std::uint16_t const*>(bytes_.data());
    index marks = 0;
    for (index i = 0; i < index{3} * 40 * 160 * 160; ++i)
        marks += values[i] == 0xffff && i % (160 * 160) != 3;
    LoadOptions bins;
    bins.det_bin = 2;
    for (char const* name : {"o.zarr", "o_master.h5", "o.npy"}) {
        auto const report = convert(streamed(d, bins), file(name));
        ASSERT_TRUE(report) << report.error().text();
        EXPECT_EQ(std::ranges::count_if(report->notes,
                                        [&](std::string const& n) {
                                            return n.starts_with(std::to_string(marks) +
                                                                 " all-ones pixels");
                                        }),
                  1)
            << name << ": " << (report->notes.empty() ? "" : report->notes.front());
    }
}

TEST_F(Conversion, MissingFramesStayMissing) {
    Dataset d = made(DType::u16, {4, 5, 6, 7});
    d.missing_runs = {{3, 2}, {19, 1}};
    d.missing = 3;
    for (char const* name : {"m.zarr", "m_master.h5", "m.raw"}) {
        auto const report = convert(streamed(d), file(name));
        ASSERT_TRUE(report) << report.error().text();
        OpenOptions options;
        options.allow_incomplete = true;
        EXPECT_EQ(open(file(name), options).value().missing_runs, d.missing_runs) << name;
    }
}

TEST(Described, DamagedDescriptionsAreNoted) {
    for (char const* text :
         {"", "[]", "{\"energy_kv\":\"x\"}", "{\"energy_kv\":-1}", "{\"saturation\":-1}",
          "{\"pixel_mask\":[[1,99]]}", "{\"pixel_mask\":3}", "{\"missing_runs\":[[5,9]]}",
          "{\"detector_turn\":{\"degrees\":1}}", "{\"metadata\":[[1,2,3]]}", "{\"sentinel\":1}"}) {
        Dataset d;
        d.rows = 2, d.cols = 3, d.frames = 6, d.scan = {2, 3};
        take_description(text, d);
        EXPECT_FALSE(d.notes.empty()) << text;
        EXPECT_EQ(d.energy_kv, 0);
        EXPECT_TRUE(d.pixel_mask.empty());
        EXPECT_EQ(d.missing, 0);
    }
}

}  // namespace
}  // namespace sluice::stem4d
