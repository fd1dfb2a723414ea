// DataFile: one <prefix>_data_NNNNNN.h5 while it is written, a chunk per image.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/nxmx/writer.h"
#include "format/nxmx/writer_h5.h"

namespace sluice::nxmx {

/// The bytes of one image as its chunk holds them; for gzip the plain values.
std::vector<std::byte> encode_image(Bytes values, Compression compression, int element_bytes);

/// What one data file holds.
struct DataPlan {
    std::string path;
    index first_image = 0, images = 0;  ///< images = frames * channels
    index rows = 0;
    DType dtype = DType::u16;
};

class DataFile {
  public:
    static Result<DataFile> create(Acquisition const& acquisition, DataPlan plan);
    /// Of a measurement: a kept file (H5Writer).
    static Result<DataFile> create_kept(Acquisition const& acquisition, DataPlan plan);

    DataPlan const& plan() const { return plan_; }
    /// Writes what encode_image() returned for some images in a row; they count from this file's
    /// first.
    Status write(index first_image, std::span<std::vector<std::byte> const> chunks);
    /// Writes one image, in any order. A full disk leaves the file as it is.
    Status write_one(index image, Bytes chunk);
    /// There are no more images than these.
    void shorten(index images);
    Status flush() { return h5_.flush(); }
    Status close();
    Status commit() { return h5_.commit(); }
    void abandon();
    std::string const& temporary() const { return h5_.temporary(); }

  private:
    DataFile(H5Writer h5, DataPlan plan) : h5_(std::move(h5)), plan_(std::move(plan)) {}
    static DataFile fill(H5Writer h5, Acquisition const& acquisition, DataPlan plan);
    void make_dataset(Acquisition const& acquisition);
    void write_chunk(index image, Bytes chunk);

    H5Writer h5_;
    DataPlan plan_;
    Handle dataset_;
    index channels_ = 1;
    std::vector<hsize_t> chunk_;  // the chunk's extent; of a legacy file (1, rows, cols)
    bool filtered_by_library_ = false;
};

}  // namespace sluice::nxmx
