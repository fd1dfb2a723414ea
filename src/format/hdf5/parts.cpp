// Choosing the fastest part for a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/parts.h"

#include <fmt/format.h>

#include "format/hdf5/filters.h"

namespace sluice::hdf5 {
namespace {

Error with_file(Error e, std::string const& file) {
    if (e.file.empty()) e.file = file;
    return e;
}

ChunkGrid grid_of(StoredDataset const& d) {
    return {d.extent, d.max, d.chunk, d.frame_bytes(), !d.filters.empty()};
}

/// The chunks of a dataset whose chunks are frames. (libhdf5 could be asked for each, but it walks
/// the whole index for every answer.)
Result<std::vector<ChunkRecord>> all_chunks(StoredDataset const& d, Pools& pools) {
    SLUICE_TRY(auto file, pools.files.get(d.file, [&] { return File::open(d.file); }));
    ReadFile const in(*file);
    auto sb = read_superblock(in);
    if (!sb) return with_file(std::move(sb).error(), d.file);
    auto chunks = read_chunk_index(in, *sb, d.header, grid_of(d));
    if (!chunks) return with_file(std::move(chunks).error(), d.file);
    return chunks;
}

/// Renumbers the chunks by frame of the part.
void select(std::vector<ChunkRecord>& chunks, Selection s) {
    auto const first = static_cast<std::uint64_t>(s.first);
    auto const stride = static_cast<std::uint64_t>(s.stride);
    auto const outside = [&](ChunkRecord const& c) {
        return c.chunk < first || (c.chunk - first) % stride != 0 ||
               (c.chunk - first) / stride >= static_cast<std::uint64_t>(s.count);
    };
    std::erase_if(chunks, outside);
    for (ChunkRecord& c : chunks) c.chunk = (c.chunk - first) / stride;
}

/// Why libhdf5 must read the values; `index_problem` is why the chunk index was not read.
std::string slow_because(StoredDataset const& d, std::string const& index_problem) {
    if (!d.exact) return fmt::format("{} is converted to {}", d.stored_type, name_of(d.dtype));
    if (d.storage == Storage::mapped) return "its virtual dataset is no plain list of frames";
    if (d.storage == Storage::chunked && !d.frame_chunks())
        return fmt::format("its chunks of {} are not single frames", shape_text(d.chunk));
    if (!index_problem.empty()) return "its chunk index is not read directly: " + index_problem;
    return d.filters.empty() ? "of its storage" : "of its filter " + filter_names(d);
}

Status check_filters(StoredDataset const& d) {
    for (Filter const& f : d.filters)
        if (!f.available)
            return Error{Code::unsupported,
                         fmt::format("frames are compressed with HDF5 filter {}{} (there is no "
                                     "decoder for it here); install its plugin and set "
                                     "HDF5_PLUGIN_PATH, or rewrite the file with h5repack -f NONE",
                                     f.id, f.name.empty() ? "" : " \"" + f.name + "\""),
                         d.file};
    return {};
}

Result<std::unique_ptr<Part const>> contiguous_part(StoredDataset const& d, Selection s,
                                                    std::shared_ptr<Pools> const& pools,
                                                    std::vector<std::string>& notes) {
    haddr_t const offset = H5Dget_offset(d.handle.id());
    if (offset == HADDR_UNDEF) {
        add_note(notes, fmt::format("{}: no frame was ever written; they read as zeros", d.file));
        return missing_part();
    }
    SLUICE_TRY(auto file, pools->files.get(d.file, [&] { return File::open(d.file); }));
    std::uint64_t const room = offset > file->size() ? 0 : file->size() - offset;
    if (static_cast<std::uint64_t>(d.frames()) > room / d.frame_bytes())
        return Error{Code::truncated,
                     fmt::format("the dataset {} is longer than the rest of the file ({} of {} "
                                 "frames are there); copy the file again",
                                 d.path, room / d.frame_bytes(), d.frames()),
                     d.file, offset};
    return array_part(d, s, offset, pools);
}

std::unique_ptr<Part const> frame_chunk_part(StoredDataset const& d, FrameCode code,
                                             std::vector<ChunkRecord> chunks, Selection s,
                                             std::shared_ptr<Pools> const& pools,
                                             std::vector<std::string>& notes) {
    select(chunks, s);
    if (index const lost = s.count - static_cast<index>(chunks.size()); lost > 0)
        add_note(notes, fmt::format("{}: {} of {} frames were never written; they read as zeros",
                                    d.file, lost, s.count));
    return chunk_part(d, code, std::move(chunks), pools);
}

bool external_storage(StoredDataset const& d) {
    Handle const create(H5Dget_create_plist(d.handle.id()), H5Pclose);
    return H5Pget_external_count(create.id()) > 0;
}

}  // namespace

std::optional<FrameCode> encoding_of(std::vector<Filter> const& filters) {
    if (filters.empty()) return FrameCode{};
    if (filters.size() != 1) return {};
    auto const& v = filters[0].values;
    if (filters[0].id == filter_lz4) return FrameCode{Encoding::lz4};
    if (filters[0].id != filter_bitshuffle) return {};
    switch (v.size() > 4 ? v[4] : 0) {
        case 0:
            return FrameCode{Encoding::bitshuffle, v.size() > 3 ? static_cast<index>(v[3]) : 0};
        case 2:
            return FrameCode{Encoding::bitshuffle_lz4};
        case 3:
            return FrameCode{Encoding::bitshuffle_zstd};
        default:
            return {};
    }
}

void add_note(std::vector<std::string>& notes, std::string note) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end())
        notes.push_back(std::move(note));
}

Result<std::unique_ptr<Part const>> make_part(StoredDataset const& d, Selection s,
                                              std::shared_ptr<Pools> const& pools,
                                              std::vector<std::string>& notes) {
    LibraryLock lock;
    auto const encoding = encoding_of(d.filters);
    if (d.storage == Storage::contiguous && d.exact && !external_storage(d))
        return contiguous_part(d, s, pools, notes);
    std::string index_problem;
    if (d.storage == Storage::chunked && d.exact && d.frame_chunks() && encoding) {
        auto chunks = all_chunks(d, *pools);
        if (chunks) return frame_chunk_part(d, *encoding, std::move(*chunks), s, pools, notes);
        if (chunks.error().code != Code::unsupported) return std::move(chunks).error();
        index_problem = chunks.error().message;
    }
    SLUICE_CHECK(check_filters(d));
    add_note(notes, fmt::format("frames are read through libhdf5, which is slower (because {})",
                                slow_because(d, index_problem)));
    return library_part(d, s, pools);
}

}  // namespace sluice::hdf5
