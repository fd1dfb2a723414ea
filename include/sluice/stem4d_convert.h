// Conversion of scans: any scan that opens becomes a file of another format.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sluice/provenance.h"
#include "sluice/scan.h"

namespace sluice::stem4d {

/// What is written; `automatic`: what the name ends with.
enum class ScanFormat : std::uint8_t {
    automatic,
    zarr,  ///< Zarr 3 in shards: a group with the array "data"
    nxmx,  ///< as DECTRIS detectors write: X_master.h5 and its data files
    emd,   ///< EMD 1.0, a DataCube of py4DSTEM
    hspy,  ///< HyperSpy, in HDF5
    zspy,  ///< HyperSpy, in Zarr 2
    npy,   ///< one array of NumPy
    mib,   ///< Merlin, with its HDR
    raw,   ///< little-endian values, described by a TOML file beside them
};

/// How chunks are compressed; `automatic`: the usual one of the format.
enum class ScanCodec : std::uint8_t {
    automatic,
    blosc_zstd,  ///< Zarr: bitshuffle, then zstd, in Blosc
    blosc_lz4,   ///< Zarr: bitshuffle, then LZ4, in Blosc
    zstd,        ///< Zarr: zstd alone
    bslz4,       ///< NXmx: bitshuffle, then LZ4 (HDF5's filter 32008)
    bszstd,      ///< NXmx: bitshuffle, then zstd (the same filter)
    none,
};

struct ScanConvertOptions {
    ScanFormat to = ScanFormat::automatic;
    ScanCodec codec = ScanCodec::automatic;
    bool verify = false;     ///< read the output back and compare every value
    bool resume = false;     ///< go on with an unfinished output of the same source and options
    bool overwrite = false;  ///< replace an output that is there
    /// Written with the values; empty: the program, its version and the source.
    Provenance provenance = {};
    Progress progress = {};  ///< in bytes of the output's values
};

struct ScanConvertReport {
    std::string path, format, codec;
    std::vector<std::string> files = {};  ///< what was written; of a folder the folder
    std::array<index, 4> shape = {};      ///< scan rows and columns, detector rows and columns
    std::string dtype = {};               ///< NumPy's name
    std::uint64_t bytes = 0;              ///< of the values
    std::uint64_t bytes_written = 0;
    double seconds = 0, verify_seconds = 0;
    bool verified = false;  ///< every value was read back and is equal
    bool resumed = false;
    index blocks = 0, blocks_kept = 0;  ///< kept: of the unfinished output
    /// Each calibration, mask or other knowledge of the source that the output has no place for.
    std::vector<std::string> not_carried = {};
    std::vector<std::string> notes = {};  ///< what was converted, left out or clipped
};

/// How to load a scan so that conversion keeps what the files hold: streamed as values, and with
/// masked pixels and marks for no data as they are stored, unless the options ask for binning or
/// masks.
LoadOptions convert_load_options(LoadOptions options);

/// Writes the scan as it is loaded to `path`, which has that name only when it is complete: until
/// then it is called `path`.part. Takes memory for some blocks, not for the scan.
Result<ScanConvertReport> convert(Scan const& scan, std::string const& path,
                                  ScanConvertOptions const& options = {});

}  // namespace sluice::stem4d
