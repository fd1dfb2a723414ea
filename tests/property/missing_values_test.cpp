// Frames that no file holds read as the file's fill value; where that is no count, floats are NaN
// and counts zero. The notes say which.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "format/hdf5/test_files.h"
#include "sluice/scan.h"
#include "sluice/scan_values.h"

namespace sluice {
namespace {

using namespace hdf5;
using namespace hdf5::test;

constexpr hsize_t frame_count = 12, rows = 4, cols = 5;
constexpr std::size_t pixels = rows * cols;

/// Frames 0, 4 and 8 were never written.
void write_chunks(hid_t file, std::string const& path, hid_t type, double fill) {
    Handle const d = make_dataset(file, path,
                                  {.extent = {frame_count, rows, cols},
                                   .chunk = {1, rows, cols},
                                   .type = type,
                                   .fill = fill});
    for (hsize_t f = 0; f < frame_count; ++f) {
        if (f % 4 == 0) continue;
        auto const v = frame<float>(static_cast<index>(f), pixels);
        std::vector<std::uint16_t> const whole(v.begin(), v.end());
        write_chunk(d, {f, 0, 0}, type == H5T_STD_U16LE ? bytes_of(whole) : bytes_of(v));
    }
}

/// A virtual dataset without frames 0, 4 and 8, of a file with all of them.
void write_gaps(std::string const& folder, hid_t file, hid_t type, double fill, bool gone) {
    {
        Handle const source = create_file(folder + "/source.h5");
        write_all(
            make_dataset(source.id(), "/d", {.extent = {frame_count, rows, cols}, .type = type}),
            H5T_NATIVE_FLOAT, frames<float>(frame_count, pixels));
    }
    hsize_t const shape[] = {frame_count, rows, cols};
    Handle const space(H5Screate_simple(3, shape, nullptr), H5Sclose);
    Handle const create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_fill_value(create.id(), H5T_NATIVE_DOUBLE, &fill);
    for (hsize_t f = 0; f < frame_count; ++f) {
        if (f % 4 == 0 && !gone) continue;
        hsize_t const at[] = {f, 0, 0}, size[] = {1, rows, cols};
        H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, at, nullptr, size, nullptr);
        std::string const name = f % 4 == 0 ? "gone.h5" : "source.h5";
        H5Pset_virtual(create.id(), space.id(), name.c_str(), "/d", space.id());
    }
    Handle const whole(H5Screate_simple(3, shape, nullptr), H5Sclose);
    Handle const d(H5Dcreate2(file, "/v", type, whole.id(), H5P_DEFAULT, create.id(), H5P_DEFAULT),
                   H5Dclose);
    EXPECT_TRUE(bool(d));
}

enum class Way { chunks, gaps, gone };

std::string write(Way way, hid_t type, double fill) {
    std::string const folder = fresh_folder(), path = folder + "/x.h5";
    Handle const file = create_file(path, true);
    if (way == Way::chunks)
        write_chunks(file.id(), "/v", type, fill);
    else
        write_gaps(folder, file.id(), type, fill, way == Way::gone);
    return path;
}

bool any(std::vector<std::string> const& notes, std::string const& text) {
    return std::ranges::any_of(notes, [&](auto const& n) { return contains(n, text); });
}

/// The values of a pixel of each frame, and all notes.
template <class T>
std::pair<std::vector<T>, std::vector<std::string>> load(std::string const& path, bool as_stored) {
    auto d = open(path, {.scan_shape = {{3, 4}}, .allow_incomplete = true});
    EXPECT_TRUE(d) << d.error().text();
    auto const scan = Scan::load(std::move(*d), {.as_stored = as_stored});
    EXPECT_TRUE(scan) << scan.error().text();
    std::vector<index> wanted(frame_count);
    std::iota(wanted.begin(), wanted.end(), 0);
    std::vector<T> values(frame_count);
    auto const read =
        read_frames(*scan, wanted, {2, 3, 1, 1}, std::as_writable_bytes(std::span(values)));
    EXPECT_TRUE(read) << read.error().text();
    return {values, scan->notes()};
}

template <class T>
void expect_fill(hid_t type, double fill, double reads_as, bool no_count) {
    for (Way const way : {Way::chunks, Way::gaps, Way::gone}) {
        std::string const path = write(way, type, fill);
        SCOPED_TRACE(std::to_string(static_cast<int>(way)) + " " + std::to_string(fill));
        auto const [values, notes] = load<T>(path, false);
        for (std::size_t f = 0; f < frame_count; ++f) {
            double const want = f % 4 == 0 ? reads_as : pixel(static_cast<index>(f), 2 * cols + 3);
            EXPECT_TRUE(values[f] == static_cast<T>(want) ||
                        (std::isnan(want) && std::isnan(static_cast<double>(values[f]))))
                << f << ": " << values[f];
        }
        EXPECT_TRUE(any(notes, "3 frames lack data"));
        EXPECT_EQ(any(notes, "in 3 of them that value is not a count"), no_count);
        EXPECT_EQ(any(notes, "read as NaN (floats) or zero (counts): the file's fill value is NaN"),
                  no_count);
        EXPECT_EQ(any(notes, "read as the file's fill value, or zero"), !no_count);
        // As stored, NaN stays NaN.
        auto const [stored, said] = load<T>(path, true);
        EXPECT_TRUE(static_cast<double>(stored[4]) == fill || std::isnan(fill)) << stored[4];
        EXPECT_EQ(std::isnan(static_cast<double>(stored[4])), std::isnan(fill));
        EXPECT_FALSE(any(said, "no count"));
    }
}

TEST(MissingValues, AreTheFillValueOrZeroAndTheNotesSayWhich) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    expect_fill<float>(H5T_IEEE_F32LE, std::nan(""), std::nan(""), true);
    expect_fill<float>(H5T_IEEE_F32LE, infinity, std::nan(""), true);
    expect_fill<float>(H5T_IEEE_F32LE, -infinity, std::nan(""), true);
    expect_fill<float>(H5T_IEEE_F32LE, 2.5, 2.5, false);
    expect_fill<std::uint16_t>(H5T_STD_U16LE, 7, 7, false);
    expect_fill<std::uint16_t>(H5T_STD_U16LE, 65535, 65535, false);
    expect_fill<std::uint16_t>(H5T_STD_U16LE, 0, 0, false);
}

}  // namespace
}  // namespace sluice
