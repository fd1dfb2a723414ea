// The kinds of part, fastest first: chunks that are frames, one long array, and libhdf5's values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file.h"
#include "format/hdf5/chunk_index.h"
#include "format/hdf5/part.h"
#include "format/hdf5/pool.h"
#include "format/hdf5/stored_dataset.h"

namespace sluice::hdf5 {

/// Open files and datasets, shared by the parts of a source.
struct Pools {
    Pool<File> files{128};
    Pool<Handle> datasets{32};
};

/// Which frames of a dataset a part takes: first, first + stride, ..., `count` of them.
struct Selection {
    index first = 0, stride = 1, count = 0;
};

/// The fastest part that can read the selection; what makes it slow or inexact goes to `notes`,
/// once.
Result<std::unique_ptr<Part const>> make_part(StoredDataset const& dataset, Selection selection,
                                              std::shared_ptr<Pools> const& pools,
                                              std::vector<std::string>& notes);

/// How the chunks of a dataset are encoded.
struct FrameCode {
    Encoding encoding = Encoding::values;
    index block_elements = 0;  ///< as in EncodedFrame
};

/// Frames that are chunks at known places of a file. `chunks` are numbered by frame of the part.
std::unique_ptr<Part const> chunk_part(StoredDataset const& dataset, FrameCode code,
                                       std::vector<ChunkRecord> chunks,
                                       std::shared_ptr<Pools> pools);
/// Frames that follow each other at `offset` of a file, uncompressed.
std::unique_ptr<Part const> array_part(StoredDataset const& dataset, Selection selection,
                                       std::uint64_t offset, std::shared_ptr<Pools> pools);
/// Frames that libhdf5 reads and converts.
std::unique_ptr<Part const> library_part(StoredDataset const& dataset, Selection selection,
                                         std::shared_ptr<Pools> pools);
/// Frames that were never written.
std::unique_ptr<Part const> missing_part();

/// How filters map to an encoding, or nothing if libhdf5 must decode them.
std::optional<FrameCode> encoding_of(std::vector<Filter> const& filters);

/// Adds a note unless it is there.
void add_note(std::vector<std::string>& notes, std::string note);

}  // namespace sluice::hdf5
