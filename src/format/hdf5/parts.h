// The kinds of part, fastest first: chunks that are frames, one long array, and anything else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file.h"
#include "format/boxes/block_cache.h"
#include "format/boxes/box_frames.h"
#include "format/hdf5/chunk_index.h"
#include "format/hdf5/part.h"
#include "format/hdf5/pool.h"
#include "format/hdf5/stored_dataset.h"

namespace sluice::hdf5 {

using boxes::Selection;

/// Open files and decoded chunks, shared by the parts of a source.
struct Pools {
    static constexpr std::uint64_t most_cached = boxes::most_kept_bytes;
    Pool<File> files{128};
    std::shared_ptr<boxes::BlockCache> blocks = std::make_shared<boxes::BlockCache>(most_cached);
};

/// What opening collects on the way.
struct Opening {
    std::shared_ptr<Pools> pools = std::make_shared<Pools>();
    bool allow_incomplete = false;
    int depth = 0;  ///< virtual datasets around this one
    std::vector<std::string> notes = {};
    std::vector<std::string> files = {};  ///< data files, in the order of their frames
};

/// A part, and which of its frames lack data.
struct MadePart {
    std::shared_ptr<Part const> part;
    std::vector<FrameRun> missing = {};
};

/// The fastest part that can read the selection of a dataset that is not virtual; conversions go
/// to the notes.
Result<MadePart> make_part(StoredDataset const& dataset, Selection selection, Opening& opening);

/// How the chunks of a dataset are encoded.
struct FrameCode {
    Encoding encoding = Encoding::values;
    index block_elements = 0;  ///< as in EncodedFrame
};

/// Of a file that is being written: which of the dataset's frames are whole does not show.
Error not_frame_by_frame(StoredDataset const& dataset);
/// Tells WhileWritten whether the dataset of all frames may become longer.
void note_growth(StoredDataset const& dataset);

/// Frames that are chunks at known places of a file. `chunks` are numbered by frame of the part.
std::shared_ptr<Part const> chunk_part(StoredDataset const& dataset, FrameCode code,
                                       std::vector<ChunkRecord> chunks,
                                       std::shared_ptr<Pools> pools);
/// Frames that follow each other at `offset` of a file, uncompressed.
std::shared_ptr<Part const> array_part(StoredDataset const& dataset, Selection selection,
                                       std::uint64_t offset, std::shared_ptr<Pools> pools);
/// Frames of any other dataset, virtual ones too.
Result<MadePart> box_part(StoredDataset const& dataset, boxes::FrameAxes const& axes,
                          Selection selection, Opening& opening);
/// Frames that were never written.
std::shared_ptr<Part const> missing_part(std::vector<std::byte> fill);

/// Whether the file is long enough for a contiguous dataset.
Status check_contiguous(StoredDataset const& dataset, Pools& pools);

/// How filters map to an encoding of frames of `element_bytes`, or nothing if frames must be
/// decoded before they are handed over.
std::optional<FrameCode> encoding_of(std::vector<Filter> const& filters, int element_bytes);

/// Adds a note unless it is there.
void add_note(std::vector<std::string>& notes, std::string note);

}  // namespace sluice::hdf5
