// ScanWriter: a scan whose frames are there already, as an acquisition of a detector.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "format/nxmx/writer_data.h"
#include "sluice/provenance.h"

namespace sluice::nxmx {

/// Master, data files and companion say what the dataset knows, and nothing that it does not. Of
/// one thread at a time; each call takes the lock of libhdf5.
class ScanWriter {
  public:
    /// "demo/si" makes demo/si_master.h5, demo/si_data_000001.h5, ... and, where there is something
    /// to say, the companion demo/si.h5.
    static Result<ScanWriter> create(std::string prefix, Dataset const& like,
                                     Compression compression, index frames_per_file,
                                     Provenance const& provenance);
    /// What encode_image() returned for frames in a row, all of one data file; an empty chunk stays
    /// unwritten: the frame is missing.
    Status write(index first, std::span<std::vector<std::byte> const> chunks);
    /// Gives the files their names, the master last.
    Status finish();
    /// All files, the master last.
    std::vector<std::string> files() const;

  private:
    ScanWriter(Acquisition shape, index frames) : shape_(std::move(shape)), frames_(frames) {}
    Status make_file(index number);
    Status make_others(Dataset const& like, Provenance const& provenance);

    Acquisition shape_;
    index frames_;
    std::map<index, DataFile> data_ = {};  // by number from 0
    std::vector<H5Writer> others_ = {};
};

}  // namespace sluice::nxmx
