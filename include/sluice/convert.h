// Slides to OME-Zarr: every plane and its pyramid, written while it is read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "sluice/device.h"
#include "sluice/provenance.h"
#include "sluice/slide.h"

namespace sluice::slide {

/// How scenes become images.
enum class ImageLayout : std::uint8_t {
    automatic,  ///< plate when every scene stands in a row and column of one, else scenes
    scenes,     ///< groups 0, 1, ... as bioformats2raw writes them
    plate,      ///< row/column/field
    merged,     ///< one canvas
};

enum class ChunkCodec : std::uint8_t { none, blosc_lz4, zstd };

struct ConvertOptions {
    std::string ngff = "0.4";  ///< "0.4" (Zarr version 2) or "0.5" (version 3)
    index chunk = 1024;        ///< pixels along x and y, even
    index shard = 0;           ///< pixels along x and y of a file of several chunks; 0: none
    ChunkCodec codec = ChunkCodec::blosc_lz4;
    int codec_level = -1;  ///< -1: 5 for blosc, 3 for zstd
    ImageLayout layout = ImageLayout::automatic;
    std::vector<std::int32_t> scenes = {};    ///< indices; empty: all
    std::vector<std::int32_t> channels = {};  ///< indices; empty: all
    /// Which index of R, I, H, V or B where there are several.
    std::map<char, std::int32_t> plane = {};
    index min_size = 256;  ///< levels are added until no side is longer
    /// The pixels' value where there is no tile. Chunks that hold nothing else are not written.
    double fill = 0;
    /// Instead of failing at a damaged tile, fill it with this, name it in the output, and go on.
    std::optional<double> fill_bad = {};
    bool resume = false;     ///< go on with an unfinished output of the same source and options
    bool overwrite = false;  ///< replace an output that is there
    bool verify = false;     ///< read source and output again and compare every element
    int threads = 0;         ///< 0: one per processor
    /// Where the coarser levels are made. Tiles are decoded and chunks encoded by the processor.
    Device device = Device::cpu();
    /// Bytes that bands of pixels may take; wide planes are made in strips that fit.
    std::uint64_t memory_limit = std::uint64_t{1} << 30;
    /// Written with the images; empty: the program, its version and the slide.
    Provenance provenance = {};
    Progress progress = {};  ///< in bytes of the full resolution
};

struct ConvertedImage {
    std::string path, name;
    std::array<index, 5> shape = {};  ///< t, c, z, y, x
    std::string dtype;                ///< NumPy's name
    int levels = 0;
};

struct ConvertReport {
    std::string path;
    std::vector<ConvertedImage> images;
    /// Pixels of the full resolution, over all planes, in chunks that may hold tiles.
    index pixels = 0;
    std::uint64_t bytes = 0;             ///< these pixels as elements
    std::uint64_t bytes_written = 0;     ///< of chunks of all levels
    index chunks = 0, chunks_empty = 0;  ///< of all levels; no file has those that are empty
    index chunks_verified = 0;           ///< of those that may hold tiles
    std::uint64_t band_memory = 0;       ///< bytes planned for bands
    std::uint64_t peak_memory = 0;       ///< bytes of the process, as the system counted them
    double seconds = 0, verify_seconds = 0;
    bool resumed = false;
    index files_made_again = 0;             ///< by resume, because they were missing or damaged
    std::vector<std::string> tiles_filled;  ///< with fill_bad: each tile, and why
    std::vector<std::string> notes;
};

/// Writes all planes of a slide to the folder `path`, which has that name only when it is complete:
/// until then it is called `path`.part.
Result<ConvertReport> convert(Slide const& slide, std::string const& path,
                              ConvertOptions const& options = {});

}  // namespace sluice::slide
