// Chunks are compressed here and handed to libhdf5 as they are: it has no filter 32008.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/writer_data.h"

#include "codec/bitshuffle/bitshuffle.h"

namespace sluice::nxmx {
namespace {

constexpr unsigned bitshuffle_id = 32008, lz4_id = 32004;
constexpr std::uint64_t index_bytes = 256;  // a chunk's share of the B-tree, generously

// Optional, so that a libhdf5 without the plugin lets the dataset be made.
void set_filter(hid_t list, Compression compression, unsigned element_bytes) {
    unsigned const lz4[] = {0, 3, element_bytes, 0, 2}, zstd[] = {0, 4, element_bytes, 0, 3, 3};
    unsigned const bare[] = {0, 3, element_bytes, 0, 0};
    switch (compression) {
        case Compression::bslz4:
            H5Pset_filter(list, bitshuffle_id, H5Z_FLAG_OPTIONAL, 5, lz4);
            break;
        case Compression::bszstd:
            H5Pset_filter(list, bitshuffle_id, H5Z_FLAG_OPTIONAL, 6, zstd);
            break;
        case Compression::bitshuffle:
            H5Pset_filter(list, bitshuffle_id, H5Z_FLAG_OPTIONAL, 5, bare);
            break;
        case Compression::lz4:
            H5Pset_filter(list, lz4_id, H5Z_FLAG_OPTIONAL, 0, nullptr);
            break;
        case Compression::gzip:
            H5Pset_deflate(list, 1);
            break;
        case Compression::none:
            break;
    }
}

}  // namespace

std::vector<std::byte> encode_image(Bytes values, Compression compression, int element_bytes) {
    switch (compression) {
        case Compression::bslz4:
            return codec::encode_bitshuffle_lz4(values, element_bytes);
        case Compression::bszstd:
            return codec::encode_bitshuffle_zstd(values, element_bytes);
        case Compression::bitshuffle:
            return codec::encode_bitshuffle(values, element_bytes);
        case Compression::lz4:
            return codec::encode_lz4(values);
        default:
            return {values.begin(), values.end()};
    }
}

Result<DataFile> DataFile::create(Acquisition const& a, DataPlan plan) {
    SLUICE_TRY(H5Writer h5, H5Writer::create(plan.path));
    return fill(std::move(h5), a, std::move(plan));
}

Result<DataFile> DataFile::create_kept(Acquisition const& a, DataPlan plan) {
    SLUICE_TRY(H5Writer h5, H5Writer::create_kept(plan.path));
    DataFile file = fill(std::move(h5), a, std::move(plan));
    if (file.h5_.good()) return file;
    Status const failed = file.close();
    file.abandon();
    return failed.error();
}

DataFile DataFile::fill(H5Writer h5, Acquisition const& a, DataPlan plan) {
    DataFile f(std::move(h5), std::move(plan));
    f.h5_.group("/entry", "NXentry");
    f.h5_.group("/entry/data", "NXdata");
    f.make_dataset(a);
    auto const channels = static_cast<index>(a.channels.size());
    index const first = f.plan_.first_image / channels, frames = f.plan_.images / channels;
    f.h5_.attribute("/entry/data/data", "image_nr_low", static_cast<std::int32_t>(first + 1));
    f.h5_.attribute("/entry/data/data", "image_nr_high", static_cast<std::int32_t>(first + frames));
    return f;
}

void DataFile::make_dataset(Acquisition const& a) {
    channels_ = static_cast<index>(a.channels.size());
    auto const frames = static_cast<hsize_t>(plan_.images / channels_);
    auto const rows = static_cast<hsize_t>(plan_.rows), cols = static_cast<hsize_t>(a.cols);
    auto const nc = static_cast<hsize_t>(channels_);
    bool const legacy = a.layout == Layout::legacy;
    std::vector<hsize_t> extent = {frames, rows, cols}, most = {H5S_UNLIMITED, rows, cols};
    chunk_ = {1, rows, cols};
    if (!legacy) {
        extent = {frames, nc, rows, cols};
        most = {H5S_UNLIMITED, nc, rows, cols};
        chunk_ = {1, 1, rows, cols};
    }
    int const rank = static_cast<int>(extent.size());
    hid_t const type = h5_type(plan_.dtype);
    Handle const creation = untimed(H5P_DATASET_CREATE);
    Handle const space(H5Screate_simple(rank, extent.data(), most.data()), H5Sclose);
    H5Pset_chunk(creation.id(), rank, chunk_.data());
    std::uint64_t const ones = ~std::uint64_t{0};
    H5Pset_fill_value(creation.id(), type, &ones);
    set_filter(creation.id(), a.compression, static_cast<unsigned>(size_of(plan_.dtype)));
    filtered_by_library_ = a.compression == Compression::gzip;
    dataset_ = Handle(H5Dcreate2(h5_.id(), "/entry/data/data", type, space.id(), H5P_DEFAULT,
                                 creation.id(), H5P_DEFAULT),
                      H5Dclose);
    h5_.check(static_cast<bool>(dataset_));
}

Status DataFile::write(index first_image, std::span<std::vector<std::byte> const> chunks) {
    std::uint64_t bytes = 0;
    for (auto const& chunk : chunks) bytes += chunk.size() + index_bytes;
    h5_.reserve(bytes);
    for (auto const& chunk : chunks) {
        if (!h5_.good()) return close();
        write_chunk(first_image++, chunk);
    }
    return {};
}

void DataFile::write_chunk(index image, Bytes chunk) {
    std::vector<hsize_t> at(chunk_.size(), 0);
    at[0] = static_cast<hsize_t>(image / channels_);
    if (chunk_.size() == 4) at[1] = static_cast<hsize_t>(image % channels_);
    if (!filtered_by_library_) {
        h5_.check(H5Dwrite_chunk(dataset_.id(), H5P_DEFAULT, 0, at.data(), chunk.size(),
                                 chunk.data()) >= 0);
        return;
    }
    Handle const memory(H5Screate_simple(static_cast<int>(chunk_.size()), chunk_.data(), nullptr),
                        H5Sclose);
    Handle const space(H5Dget_space(dataset_.id()), H5Sclose);
    H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, at.data(), nullptr, chunk_.data(), nullptr);
    h5_.check(H5Dwrite(dataset_.id(), h5_type(plan_.dtype), memory.id(), space.id(), H5P_DEFAULT,
                       chunk.data()) >= 0);
}

Status DataFile::write_one(index image, Bytes chunk) {
    SLUICE_CHECK(h5_.make_room(chunk.size() + index_bytes));
    write_chunk(image, chunk);
    return h5_.good() ? Status{} : h5_.make_room(0);
}

void DataFile::shorten(index images) {
    if (images >= plan_.images || !h5_.good()) return;
    plan_.images = images;
    std::vector<hsize_t> extent = chunk_;
    extent[0] = static_cast<hsize_t>(images / channels_);
    auto const last = static_cast<std::int32_t>((plan_.first_image + images) / channels_);
    Handle const high(H5Aopen(dataset_.id(), "image_nr_high", H5P_DEFAULT), H5Aclose);
    h5_.check(H5Dset_extent(dataset_.id(), extent.data()) >= 0 && high &&
              H5Awrite(high.id(), H5T_NATIVE_INT32, &last) >= 0);
}

void DataFile::abandon() {
    dataset_ = {};
    h5_.abandon();
}

Status DataFile::close() {
    dataset_ = {};
    return h5_.close();
}

}  // namespace sluice::nxmx
