// The files of a DECTRIS acquisition: the master's data files and the companion beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/frames.h"
#include "format/scan_shape.h"

namespace sluice::nxmx {

/// Names like data_000001 in /entry/data, in the order of their numbers.
Result<std::vector<std::string>> data_links(hdf5::object::Object const& master);

/// "scan" of ".../scan_master.h5", with the folder; empty if it is not named like that.
std::string prefix_of(std::string const& master_path);

/// What the data files of a legacy master hold together.
struct LegacyFrames {
    hdf5::FrameParts parts;
    DType dtype = DType::u16;
    index rows = 0, cols = 0;
    std::string stored_type, filters;
};

/// Opens every data file. All missing files are one error, before any work.
Result<LegacyFrames> open_data_files(hdf5::object::Object const& master,
                                     std::string const& master_path, hdf5::Opening& opening);

/// What the microscope wrote into `<prefix>.h5`.
struct Companion {
    std::string file;
    std::optional<CompanionScan> scan = {};
    double scan_step_nm = 0, camera_length_m = 0, energy_kv = 0;
    std::vector<MetaField> metadata = {};
    std::vector<std::string> notes = {};
};

/// Nothing if there is none.
std::optional<Companion> read_companion(std::string const& master_path);

}  // namespace sluice::nxmx
