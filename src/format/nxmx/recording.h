// Recording: a series of images that is written while it is measured, as a detector writes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>

#include "format/nxmx/writer_data.h"

namespace sluice::nxmx {

/// What is known before the images come.
struct RecordedSeries {
    std::string prefix;  ///< "demo/si" makes demo/si_master.h5, demo/si_data_000001.h5, ...
    Dataset like = {};   ///< the type and size of images, mask, calibration and metadata
    index images = 0;    ///< that are announced; 0: the stream does not say how many
    std::array<index, 2> scan{};
    /// [image] the frame of the scan, -1: none, as in a flyback; empty: image i is frame i.
    std::vector<index> frame_of = {};
    std::string path = {};                    ///< the same in words
    std::vector<std::byte> description = {};  ///< what the stream said of the series, as it came
    index frames_per_file = 10000;
};

/// What is known after them.
struct RecordedEnd {
    std::string how = {};  ///< "complete", or why the series ended early
    std::vector<std::pair<std::string, index>> counts = {};
};

/// Of one thread; each call takes the lock of libhdf5. Images stand in the order of their numbers,
/// those of no point of the scan, too. Those that did not come are chunks that were never written.
/// Files are kept (base/kept_file.h) under temporary names until finish().
class Recording {
  public:
    /// Makes the master, with all that is known: a disk that is full later does not touch it.
    static Result<Recording> create(RecordedSeries series);

    struct Image {
        index number = 0;
        Bytes chunk = {};
    };
    /// How chunks are compressed; said once, before the first one.
    void compress(Compression compression) { shape_.compression = compression; }
    /// Images from this number on cannot be written.
    index images() const;
    std::string const& prefix() const { return series_.prefix; }
    /// Writes images in the order in which they come. The error of a full disk leaves what was
    /// written, and `written` says how many of these that is.
    Status write(std::span<Image const> images, index& written);
    /// Files that did not change since the last time are left alone.
    Status flush();
    /// Gives the files their names, the master last, and returns these; none where no image came.
    Result<std::vector<std::string>> finish(RecordedEnd const& end);

  private:
    Recording(RecordedSeries series, Acquisition shape, H5Writer master)
        : series_(std::move(series)), shape_(std::move(shape)), master_(std::move(master)) {}
    index points() const;
    index end_of_files() const;
    std::string file_name(index number) const;
    Result<DataFile*> file_of(index image);
    Status make_file(index number);
    Status finish_file(index number, std::vector<std::string>& names);
    void write_end(RecordedEnd const& end);

    RecordedSeries series_;
    Acquisition shape_;
    H5Writer master_;
    struct Member {
        DataFile file;
        bool changed = true;  // since it was flushed
    };
    std::map<index, Member> files_ = {};  // by number from 0
    index last_ = -1;                     // image that was written
    std::vector<std::string> names_ = {};
};

/// Names that a recording would take and that are taken.
Status check_recording_names(std::string const& prefix);

}  // namespace sluice::nxmx
