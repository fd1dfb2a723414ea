// BoxReaders of stored datasets: chunks behind any filters, one long array, or other datasets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/boxes/box_frames.h"
#include "format/hdf5/parts.h"

namespace sluice::hdf5 {

/// All values of a dataset, as stored. `axes` say which order of reading is to be fast.
Result<std::shared_ptr<boxes::BoxReader const>> make_reader(StoredDataset const& dataset,
                                                            boxes::FrameAxes const& axes,
                                                            Opening& opening);

/// The chunks of a dataset by number, and how many bytes each decodes to. Filters that cannot be
/// undone are an error.
struct Chunks {
    std::vector<ChunkRecord> records;
    std::uint64_t bytes = 0;
};
Result<Chunks> read_chunks(StoredDataset const& dataset, Pools& pools);

/// The sources of a virtual dataset, each where it stands.
Result<std::shared_ptr<boxes::BoxReader const>> virtual_reader(StoredDataset const& dataset,
                                                               boxes::FrameAxes const& axes,
                                                               Opening& opening);

}  // namespace sluice::hdf5
