// A DECTRIS acquisition whole: its frames, its scan, its triggers and its mask.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/test_arina.h"

namespace sluice::nxmx {
namespace {

TEST_F(Arina, IsReadWholeAcrossFiles) {
    write_acquisition();
    EXPECT_TRUE(nxmx::recognises(master, slurp(master)));
    EXPECT_FALSE(nxmx::recognises(folder + "/" + data_name(1), slurp(folder + "/" + data_name(1))));
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->format, "nxmx");
    EXPECT_EQ(d->frames, 36);
    EXPECT_EQ(d->missing, 0);
    EXPECT_EQ(d->scan, (std::array<index, 2>{6, 6}));
    EXPECT_EQ(d->rows, 6);
    EXPECT_EQ(d->cols, 8);
    EXPECT_EQ(d->dtype, DType::u16);
    EXPECT_EQ(d->files.size(), 5u);
    EXPECT_TRUE(d->sentinel);
    EXPECT_EQ(d->saturation, 8352u);
    EXPECT_DOUBLE_EQ(d->dwell_s, 9.96e-5);
    EXPECT_EQ(meta(*d, "detector"), "Dectris ARINA Si");
    EXPECT_EQ(d->energy_kv, 200);
    EXPECT_EQ(d->detector_pixel_um, 100);
    EXPECT_TRUE(d->pixel_mask.empty());
    expect_pattern(*d, 36);
    // Any stretch of it, files notwithstanding.
    auto const want = frames<std::uint16_t>(36, pixels);
    for (index first = 0; first < 36; first += 5) {
        auto const got = read_frames<std::uint16_t>(*d, first, std::min<index>(13, 36 - first));
        ASSERT_TRUE(got);
        EXPECT_TRUE(std::equal(got->begin(), got->end(), want.begin() + first * pixels));
    }
}

TEST_F(Arina, AChannelThatIsNotThereIsRefused) {
    write_acquisition();
    auto const missing = nxmx::open(master, {.format = NxmxOptions{"3"}});
    ASSERT_FALSE(missing);
    EXPECT_TRUE(contains(missing.error().message, "there is no channel 3"));
    EXPECT_TRUE(nxmx::open(master, {.format = NxmxOptions{"0"}}));
    auto const both =
        nxmx::open(master, {.format = {Hdf5Options{"/entry/data/data_000001"}, NxmxOptions{"0"}}});
    ASSERT_FALSE(both);
    EXPECT_TRUE(contains(both.error().message, "give one of them"));
}

TEST_F(Arina, TheCompanionGivesTheScan) {
    write_acquisition();
    write_companion(9, 4);
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{4, 9}));
    EXPECT_EQ(d->scan_from, "STEM Metadata");
    EXPECT_EQ(d->scan_step_nm, 0.125);
    EXPECT_NEAR(d->detector_step_mrad, 1.0, 1e-6);
    EXPECT_EQ(d->camera_length_mm, 100);
    EXPECT_EQ(d->energy_kv, 200);
    EXPECT_TRUE(noted(*d, "says an energy of 200 kV and the companion file 300 kV"));
    EXPECT_TRUE(noted(*d, "not calibrated"));
    EXPECT_EQ(d->files.back(), folder + "/scan.h5");
    write_companion(7, 4, 2);
    auto const wide = nxmx::open(master, {});
    ASSERT_TRUE(wide);
    EXPECT_EQ(wide->scan, (std::array<index, 2>{4, 9}));
    EXPECT_TRUE(noted(*wide, "prescan"));
    // One that fits nothing is named and left.
    write_companion(5, 5);
    auto const odd = nxmx::open(master, {});
    ASSERT_TRUE(odd);
    EXPECT_EQ(odd->scan, (std::array<index, 2>{6, 6}));
    EXPECT_TRUE(noted(*odd, "5x5"));
    std::ofstream(folder + "/scan.h5") << "damaged";
    EXPECT_TRUE(noted(*nxmx::open(master, {}), "companion file is ignored"));
}

TEST_F(Arina, WrongCalibrationIsNotedAndLeftOut) {
    std::string const at = "/entry/instrument/detector/";
    {
        Handle const file = create_file(master);
        put_texts(file.id(), "/entry/definition", {"NXmx"});
        put_number(file.id(), at + "photon_energy", 0);
        put_number(file.id(), at + "x_pixel_size", -1e-4);
        put_number(file.id(), at + "frame_time", std::numeric_limits<double>::quiet_NaN());
        write_data_file(folder + "/" + data_name(1), 0, 4);
        link_data(file.id(), "data_000001", data_name(1));
    }
    write_companion(2, 2);
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->energy_kv, 300);
    EXPECT_EQ(d->detector_pixel_um, 0);
    EXPECT_EQ(d->detector_step_mrad, 0);
    EXPECT_EQ(d->dwell_s, 0);
    EXPECT_TRUE(
        noted(*d, at + "photon_energy holds 0, which is not a valid energy and is left out"));
    EXPECT_TRUE(noted(*d, at + "x_pixel_size holds -0.0001, which is not a valid length"));
    EXPECT_TRUE(noted(*d, at + "frame_time holds nan, which is not a valid time"));
}

TEST_F(Arina, TheEnergyOfPhotonsIsNotThatOfElectrons) {
    put_texts(write_acquisition().id(), "/entry/source/probe", {"x-ray"});
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->energy_kv, 0);
    EXPECT_TRUE(noted(*d, "the beam is \"x-ray\" (/entry/source/probe)"));
}

TEST_F(Arina, FewerFramesThanTriggersAreIncomplete) {
    write_acquisition(49);
    auto d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
    EXPECT_TRUE(contains(d.error().message, "36 of 49"));
    EXPECT_EQ(d.error().file, master);
    d = nxmx::open(master, {.allow_incomplete = true});
    ASSERT_TRUE(d);
    EXPECT_EQ(d->frames, 49);
    EXPECT_EQ(d->missing, 13);
    EXPECT_EQ(d->scan, (std::array<index, 2>{7, 7}));
    expect_pattern(*d, 36);
    std::vector<EncodedFrame> e(20);
    FetchScratch scratch;
    ASSERT_TRUE(d->source->fetch(29, e, scratch));
    EXPECT_NE(e[6].encoding, Encoding::missing);
    EXPECT_EQ(e[7].encoding, Encoding::missing);
    EXPECT_EQ(e[19].encoding, Encoding::missing);
}

TEST_F(Arina, TriggerModesCountDifferently) {
    Handle file = write_acquisition(36, "exte");
    // nimages does not count when the signal's length makes the frame.
    LibraryLock lock;
    std::string const at = "/entry/instrument/detector/detectorSpecific/nimages";
    H5Ldelete(file.id(), at.c_str(), H5P_DEFAULT);
    put_number(file.id(), at, 100);
    file = Handle();
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 0);
}

TEST_F(Arina, TheMaskMayBeTwiceAsLarge) {
    std::vector<std::uint32_t> full(rows * cols);
    full[9] = 16;
    {
        Handle const file = write_acquisition();
        write_mask(file.id(), "/entry/instrument/detector/detectorSpecific/pixel_mask", rows, cols,
                   full);
    }
    auto d = nxmx::open(master, {});
    ASSERT_TRUE(d);
    EXPECT_EQ(d->pixel_mask, full);
    std::vector<std::uint32_t> twice(4 * rows * cols);
    twice[2 * (2 * cols) + 2] = 1;
    twice[3 * (2 * cols) + 3] = 16;
    {
        Handle const file = write_acquisition();
        write_mask(file.id(), "/entry/instrument/detector/detectorSpecific/pixel_mask", 2 * rows,
                   2 * cols, twice);
    }
    d = nxmx::open(master, {});
    ASSERT_TRUE(d);
    full[9] = 17;
    EXPECT_EQ(d->pixel_mask, full);
    EXPECT_TRUE(noted(*d, "merge2x2"));
    {
        Handle const file = write_acquisition();
        write_mask(file.id(), "/entry/instrument/detector/detectorSpecific/pixel_mask", 3, 5,
                   std::vector<std::uint32_t>(15));
    }
    d = nxmx::open(master, {});
    ASSERT_TRUE(d);
    EXPECT_TRUE(d->pixel_mask.empty());
    EXPECT_TRUE(noted(*d, "3x5"));
    EXPECT_EQ(d->warnings.size(), 2u);  // the scan's shape is a guess, too
}

constexpr char const* mask_path = "/entry/instrument/detector/detectorSpecific/pixel_mask";

// Of every shape and type that writers give a mask of one plane.
TEST_F(Arina, TheMaskMayHaveAxesOfOneElementAndAnyWholeType) {
    std::vector<std::uint32_t> full(rows * cols);
    full[9] = 1;
    std::vector<double> const numbers(full.begin(), full.end());
    Handle const boolean(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
    std::int8_t const no = 0, yes = 1;
    H5Tenum_insert(boolean.id(), "FALSE", &no);
    H5Tenum_insert(boolean.id(), "TRUE", &yes);
    for (auto const& extent : {std::vector<hsize_t>{1, rows, cols}, {rows, cols, 1}, {rows, cols}})
        for (hid_t const type : {H5T_STD_U8LE, H5T_STD_I32BE, H5T_STD_I64LE, H5T_IEEE_F32LE}) {
            {
                Handle const file = write_acquisition();
                write_all(make_dataset(file.id(), mask_path, {.extent = extent, .type = type}),
                          H5T_NATIVE_DOUBLE, numbers);
            }
            auto const d = nxmx::open(master, {});
            ASSERT_TRUE(d) << d.error().text();
            EXPECT_EQ(d->pixel_mask, full);
        }
    {
        Handle const file = write_acquisition();
        std::vector<std::int8_t> const flags(full.begin(), full.end());
        write_all(
            make_dataset(file.id(), mask_path, {.extent = {1, rows, cols}, .type = boolean.id()}),
            boolean.id(), flags);
    }
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->pixel_mask, full);
}

TEST_F(Arina, BitsOfASignedMaskAreBits) {
    {
        Handle const file = write_acquisition();
        std::vector<std::int32_t> mask(rows * cols);
        mask[3] = -1;
        mask[4] = std::numeric_limits<std::int32_t>::min();  // bit 31: interpolated
        write_all(
            make_dataset(file.id(), mask_path, {.extent = {rows, cols}, .type = H5T_STD_I32LE}),
            H5T_NATIVE_INT32, mask);
    }
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    ASSERT_EQ(d->pixel_mask.size(), rows * cols);
    EXPECT_EQ(d->pixel_mask[3], 0xffffffffu);
    EXPECT_EQ(d->pixel_mask[4], 0x80000000u);
}

TEST_F(Arina, AMaskThatDoesNotFitIsAWarning) {
    struct Case {
        std::vector<hsize_t> extent;
        double value;
        char const* word;
    };
    for (Case const& c : {Case{{cols, rows}, 1, "rows and columns have changed places"},
                          Case{{2, rows, cols}, 1, "which plane is for the whole detector"},
                          Case{{rows, cols}, 0.5, "holds 0.5"}}) {
        {
            Handle const file = write_acquisition();
            hsize_t n = 1;
            for (hsize_t side : c.extent) n *= side;
            write_all(
                make_dataset(file.id(), mask_path, {.extent = c.extent, .type = H5T_IEEE_F64LE}),
                H5T_NATIVE_DOUBLE, std::vector<double>(n, c.value));
        }
        auto const d = nxmx::open(master, {});
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_TRUE(d->pixel_mask.empty());
        EXPECT_TRUE(noted(*d, c.word)) << c.word;
        EXPECT_TRUE(std::ranges::any_of(d->warnings,
                                        [&](std::string const& w) { return contains(w, c.word); }));
    }
}

TEST_F(Arina, AllFramesMayBeInTheMaster) {
    write_data_file(master, 0, 16);
    {
        LibraryLock lock;
        Handle const file(H5Fopen(master.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
        write_detector(file.id(), 16, 1, "ints");
    }
    EXPECT_TRUE(nxmx::recognises(master, slurp(master)));
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    expect_pattern(*d, 16);
    EXPECT_EQ(d->files.size(), 1u);
}

TEST_F(Arina, ADataFileAloneIsPlainHdf5) {
    write_data_file(folder + "/a.h5", 0, 9);
    auto const d = hdf5::open(folder + "/a.h5", {});
    ASSERT_TRUE(d);
    expect_pattern(*d, 9);
}

TEST_F(Arina, AMasterWithoutDataIsAnError) {
    {
        Handle const file = create_file(master);
        write_detector(file.id(), 16, 1, "exts");
    }
    auto const d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_TRUE(contains(d.error().message, "no data files"));
}

}  // namespace
}  // namespace sluice::nxmx
