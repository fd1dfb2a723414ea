// Acquisitions as DECTRIS writes them, made for tests: a master, files of data, a companion.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "format/hdf5/hdf5.h"
#include "format/hdf5/test_files.h"
#include "format/nxmx/nxmx.h"

namespace sluice::nxmx {

using namespace hdf5;
using namespace hdf5::test;

inline constexpr hsize_t rows = 6, cols = 8;
inline constexpr index pixels = 48;

/// Frames first .. first + count - 1 of the pattern, one per chunk, at /entry/data/data.
inline void write_data_file(std::string const& path, index first, index count,
                            hid_t type = H5T_STD_U16LE, hsize_t high = rows) {
    Handle const file = create_file(path, true);
    Handle const d = make_dataset(file.id(), "/entry/data/data",
                                  {.extent = {static_cast<hsize_t>(count), high, cols},
                                   .chunk = {1, high, cols},
                                   .max = {H5S_UNLIMITED, high, cols},
                                   .type = type,
                                   .filter = 32008,
                                   .values = {0, 3, 2, 0, 2}});
    put_attribute(d.id(), "image_nr_low", {static_cast<double>(first + 1)});
    for (index f = 0; f < count; ++f) {
        auto const v = frame<std::uint16_t>(first + f, static_cast<index>(high * cols));
        write_chunk(d, {static_cast<hsize_t>(f), 0, 0},
                    codec::encode_bitshuffle_lz4(bytes_of(v), 2));
    }
}

inline void link_data(hid_t master, std::string const& link, std::string const& file) {
    LibraryLock lock;
    Handle const create(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(create.id(), 1);
    H5Lcreate_external(file.c_str(), "/entry/data/data", master, ("/entry/data/" + link).c_str(),
                       create.id(), H5P_DEFAULT);
}

inline void write_detector(hid_t master, double triggers, double images, std::string const& mode) {
    std::string const at = "/entry/instrument/detector/";
    put_texts(master, "/entry/definition", {"NXmx"});
    put_texts(master, at + "description", {"Dectris ARINA Si"});
    put_texts(master, at + "detectorSpecific/trigger_mode", {mode});
    put_number(master, at + "detectorSpecific/ntrigger", triggers);
    put_number(master, at + "detectorSpecific/nimages", images);
    put_number(master, at + "detectorSpecific/photon_energy", 200000);
    put_number(master, at + "frame_time", 9.96e-5);
    put_number(master, at + "saturation_value", 8352);
    put_number(master, at + "pixel_mask_applied", 1);
    put_number(master, at + "x_pixel_size", 1e-4);
}

inline void write_mask(hid_t master, std::string const& path, hsize_t r, hsize_t c,
                       std::vector<std::uint32_t> const& v) {
    write_all(make_dataset(master, path, {.extent = {r, c}, .type = H5T_STD_U32LE}),
              H5T_NATIVE_UINT32, v);
}

/// Gives each test a folder, and writes acquisitions into it.
class Arina : public testing::Test {
  protected:
    std::string folder = fresh_folder();
    std::string master = folder + "/scan_master.h5";

    std::string data_name(int i) const { return fmt::format("scan_data_{:06d}.h5", i); }
    /// 36 frames in files of 10, 10, 10 and 6.
    Handle write_acquisition(double triggers = 36, std::string const& mode = "exts") {
        Handle file = create_file(master);
        write_detector(file.id(), triggers, 1, mode);
        for (int i = 0; i < 4; ++i) {
            write_data_file(folder + "/" + data_name(i + 1), 10 * i, i < 3 ? 10 : 6);
            link_data(file.id(), fmt::format("data_{:06d}", i + 1), data_name(i + 1));
        }
        return file;
    }
    void write_companion(double x, double y, double prescan = 0) {
        LibraryLock lock;
        Handle const file = create_file(folder + "/scan.h5");
        Handle const g(
            H5Gcreate2(file.id(), "/STEM Metadata", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
            H5Gclose);
        put_attribute(g.id(), "NumPixelsX", {x});
        put_attribute(g.id(), "NumPixelsY", {y});
        put_attribute(g.id(), "NumPixelsPrescan", {prescan});
        put_attribute(g.id(), "Pixel Size", {0.125});
        put_attribute(g.id(), "High Tension", {300000});
        put_attribute(g.id(), "Camera Length", {0.1});
        put_attribute(g.id(), "IsPixelSizeCalibrated", {0});
    }
    static void expect_pattern(Dataset const& d, index count) {
        auto const got = read_frames<std::uint16_t>(d, 0, count);
        ASSERT_TRUE(got) << got.error().text();
        EXPECT_TRUE(*got == frames<std::uint16_t>(count, pixels));
    }
    static std::string meta(Dataset const& d, std::string const& name) {
        for (MetaField const& f : d.metadata)
            if (f.name == name) return f.value + (f.unit.empty() ? "" : " " + f.unit);
        return {};
    }
};

}  // namespace sluice::nxmx
