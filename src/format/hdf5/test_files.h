// HDF5 files for the tests, written by libhdf5, and frames read back as numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "codec/bitshuffle/bitshuffle.h"
#include "format/frame_source.h"
#include "format/hdf5/test_filters.h"
#include "format/nxmx/writer_library.h"

namespace sluice::hdf5::test {

namespace fs = std::filesystem;

/// A fresh folder for the running test.
inline std::string fresh_folder() {
    auto const* t = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(t->test_suite_name()) + "." + t->name();
    std::replace(name.begin(), name.end(), '/', '_');
    fs::path const p = fs::path(testing::TempDir()) / ("sluice_" + name);
    fs::remove_all(p);
    fs::create_directories(p);
    return p.string();
}

/// Pixel `p` of frame `f`: small, never the same in two neighbouring frames.
inline std::uint32_t pixel(index f, index p) {
    return static_cast<std::uint32_t>((f * 31 + p * 7 + 1) % 251);
}

template <class T>
std::vector<T> frame(index f, index pixels) {
    std::vector<T> v;
    for (index p = 0; p < pixels; ++p) v.push_back(static_cast<T>(pixel(f, p)));
    return v;
}

template <class T>
Bytes bytes_of(std::vector<T> const& v) {
    return std::as_bytes(std::span(v));
}

inline Handle create_file(std::string const& path, bool latest = false, hsize_t user_block = 0) {
    LibraryLock lock;
    register_filters();
    Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    Handle const create(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_userblock(create.id(), user_block);
    H5Pset_libver_bounds(access.id(), latest ? H5F_LIBVER_V110 : H5F_LIBVER_EARLIEST,
                         H5F_LIBVER_V110);
    Handle f(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, create.id(), access.id()), H5Fclose);
    EXPECT_TRUE(bool(f)) << path;
    return f;
}

struct Spec {
    std::vector<hsize_t> extent;
    std::vector<hsize_t> chunk = {};  ///< empty: contiguous
    std::vector<hsize_t> max = {};    ///< empty: as extent
    hid_t type = H5T_STD_U16LE;
    int filter = 0;
    std::vector<unsigned> values = {};
    bool early = false;  ///< allocate at once
    std::optional<double> fill = {};
};

inline Handle make_dataset(hid_t file, std::string const& path, Spec const& s) {
    LibraryLock lock;
    Handle const create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    Handle const link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(link.id(), 1);
    if (!s.chunk.empty())
        H5Pset_chunk(create.id(), static_cast<int>(s.chunk.size()), s.chunk.data());
    // Optional: the writer needs no encoder for chunks that the test encodes.
    if (s.filter != 0)
        H5Pset_filter(create.id(), s.filter, H5Z_FLAG_OPTIONAL, s.values.size(), s.values.data());
    if (s.fill) H5Pset_fill_value(create.id(), H5T_NATIVE_DOUBLE, &*s.fill);
    if (s.early) H5Pset_alloc_time(create.id(), H5D_ALLOC_TIME_EARLY);
    Handle const space(H5Screate_simple(static_cast<int>(s.extent.size()), s.extent.data(),
                                        s.max.empty() ? nullptr : s.max.data()),
                       H5Sclose);
    Handle d(
        H5Dcreate2(file, path.c_str(), s.type, space.id(), link.id(), create.id(), H5P_DEFAULT),
        H5Dclose);
    EXPECT_TRUE(bool(d)) << path;
    return d;
}

inline void write_chunk(Handle const& d, std::vector<hsize_t> at, Bytes bytes, unsigned mask = 0) {
    LibraryLock lock;
    EXPECT_GE(H5Dwrite_chunk(d.id(), H5P_DEFAULT, mask, at.data(), bytes.size(), bytes.data()), 0);
}

template <class T>
void write_all(Handle const& d, hid_t memory, std::vector<T> const& v) {
    LibraryLock lock;
    EXPECT_GE(H5Dwrite(d.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, v.data()), 0);
}

/// The pattern as `frames` frames of `pixels`.
template <class T>
std::vector<T> frames(index count, index pixels) {
    std::vector<T> v;
    for (index f = 0; f < count; ++f)
        for (T x : frame<T>(f, pixels)) v.push_back(x);
    return v;
}

inline void put_number(hid_t file, std::string const& path, double value) {
    Handle const d = make_dataset(file, path, {.extent = {1}, .type = H5T_IEEE_F64LE});
    write_all(d, H5T_NATIVE_DOUBLE, std::vector<double>{value});
}

inline void put_texts(hid_t file, std::string const& path, std::vector<std::string> const& texts) {
    LibraryLock lock;
    Handle const type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), 24);
    Handle const d = make_dataset(file, path, {.extent = {texts.size()}, .type = type.id()});
    std::vector<char> bytes(24 * texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
        std::copy(texts[i].begin(), texts[i].end(), bytes.begin() + static_cast<long>(24 * i));
    write_all(d, type.id(), bytes);
}

inline void put_attribute(hid_t object, std::string const& name, std::vector<double> const& v) {
    LibraryLock lock;
    hsize_t const n = v.size();
    Handle const space(H5Screate_simple(1, &n, nullptr), H5Sclose);
    Handle const a(
        H5Acreate2(object, name.c_str(), H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    EXPECT_GE(H5Awrite(a.id(), H5T_NATIVE_DOUBLE, v.data()), 0);
}

/// All pixels of one fetch of frames first .. first + count - 1, decoded.
template <class T>
Result<std::vector<T>> read_frames(Dataset const& d, index first, index count) {
    std::vector<EncodedFrame> encoded(static_cast<std::size_t>(count));
    FetchScratch scratch;
    SLUICE_CHECK(d.source->fetch(first, encoded, scratch));
    auto const pixels = static_cast<std::size_t>(d.pixels());
    std::vector<T> all(encoded.size() * pixels);
    for (std::size_t i = 0; i < encoded.size(); ++i) {
        EncodedFrame const& e = encoded[i];
        auto const to = std::as_writable_bytes(std::span(all).subspan(i * pixels, pixels));
        int const size = sizeof(T);
        Status done;
        using codec::Compression;
        switch (e.encoding) {
            case Encoding::missing:
                for (std::size_t p = 0; !e.bytes.empty() && p < to.size(); p += sizeof(T))
                    std::copy(e.bytes.begin(), e.bytes.end(),
                              to.begin() + static_cast<std::ptrdiff_t>(p));
                break;
            case Encoding::values:
                EXPECT_EQ(e.bytes.size(), to.size());
                std::copy(e.bytes.begin(), e.bytes.end(), to.begin());
                break;
            case Encoding::bitshuffle:
                done = codec::decode_bitshuffle(e.bytes, Compression::none, size, to,
                                                e.block_elements);
                break;
            case Encoding::bitshuffle_lz4:
                done = codec::decode_bitshuffle(e.bytes, Compression::lz4, size, to);
                break;
            case Encoding::bitshuffle_zstd:
                done = codec::decode_bitshuffle(e.bytes, Compression::zstd, size, to);
                break;
            case Encoding::lz4:
                done = codec::decode_lz4(e.bytes, to);
                break;
            default:
                ADD_FAILURE() << "HDF5 has no such frames";
        }
        if (!done) return std::move(done).error();
    }
    return all;
}

/// Whether one of the notes contains `text`.
inline bool noted(Dataset const& d, std::string const& text) {
    return std::any_of(d.notes.begin(), d.notes.end(),
                       [&](std::string const& n) { return n.find(text) != std::string::npos; });
}

inline bool contains(std::string const& all, std::string const& part) {
    return all.find(part) != std::string::npos;
}

inline std::vector<std::byte> slurp(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    std::vector<char> const chars{std::istreambuf_iterator<char>(in), {}};
    std::vector<std::byte> out;
    for (char c : chars) out.push_back(static_cast<std::byte>(c));
    return out;
}

}  // namespace sluice::hdf5::test
