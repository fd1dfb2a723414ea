// Frames that libhdf5 reads, decodes and converts, one thread at a time.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "format/hdf5/filters.h"
#include "format/hdf5/parts.h"

namespace sluice::hdf5 {
namespace {

constexpr std::uint64_t largest_cache = std::uint64_t{1} << 29;

hid_t memory_type(DType t) {
    switch (t) {
        case DType::u8:
            return H5T_NATIVE_UINT8;
        case DType::u16:
            return H5T_NATIVE_UINT16;
        case DType::u32:
            return H5T_NATIVE_UINT32;
        case DType::f32:
            return H5T_NATIVE_FLOAT;
    }
    return -1;
}

/// Bytes of all chunks that one frame touches: what must stay decoded so that the next frame does
/// not decode them again.
std::uint64_t cache_for(StoredDataset const& d) {
    std::uint64_t bytes = 8;
    for (std::size_t i = 0; i < d.chunk.size(); ++i) {
        bool const pixel = i + 2 >= d.rank();
        std::uint64_t const n =
            pixel ? (d.extent[i] + d.chunk[i] - 1) / d.chunk[i] * d.chunk[i] : d.chunk[i];
        bytes = n == 0 || bytes > largest_cache / n ? largest_cache : bytes * n;
    }
    return std::clamp<std::uint64_t>(bytes, 1 << 20, largest_cache);
}

/// As stored, that is before libhdf5 converts the type; 0 without own chunks or with other filters
/// behind the one that checks it.
std::uint64_t stored_chunk_bytes(StoredDataset const& d) {
    if (d.chunk.empty() || d.filters.size() != 1) return 0;
    Handle const type(H5Dget_type(d.handle.id()), H5Tclose);
    std::uint64_t bytes = H5Tget_size(type.id());
    for (std::uint64_t n : d.chunk) bytes *= n;
    return bytes;
}

class LibraryPart final : public Part {
  public:
    LibraryPart(StoredDataset const& d, Selection s, std::shared_ptr<Pools> pools)
        : file_(d.file),
          path_(d.path),
          extent_(d.extent),
          dtype_(d.dtype),
          frame_bytes_(d.frame_bytes()),
          cache_(cache_for(d)),
          chunk_bytes_(stored_chunk_bytes(d)),
          selection_(s),
          stored_(H5Dget_storage_size(d.handle.id())),
          pools_(std::move(pools)) {}

    std::uint64_t scratch_bytes(index, index count) const override {
        return static_cast<std::uint64_t>(count) * frame_bytes_;
    }

    Status fetch(index first, index shown, std::span<EncodedFrame> out,
                 std::byte* scratch) const override {
        LibraryLock lock;
        SLUICE_TRY(auto dataset,
                   pools_->datasets.get(file_ + '\n' + path_, [&] { return open(); }));
        ExpectedChunk const expected(static_cast<std::size_t>(chunk_bytes_));
        index const n = static_cast<index>(out.size());
        for (index i = 0; i < n;) {
            index const run = run_length(first + i, n - i);
            std::byte* const to = scratch + static_cast<std::uint64_t>(i) * frame_bytes_;
            if (!read(*dataset, first + i, run, to))
                return Error{Code::corrupt,
                             fmt::format("libhdf5 cannot read frame {} (its chunk is damaged); "
                                         "copy the file again, or try h5dump -d {}",
                                         shown + i, path_),
                             file_};
            i += run;
        }
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = {Encoding::values, {scratch + i * frame_bytes_, frame_bytes_}, 0, 0, &file_};
        return {};
    }

    std::uint64_t stored_bytes() const override { return stored_; }

  private:
    Result<Handle> open() const {
        SLUICE_TRY(Handle const file, open_file(file_));
        Handle const access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
        H5Pset_chunk_cache(access.id(), 12421, static_cast<std::size_t>(cache_), 1.0);
        Handle dataset(H5Dopen2(file.id(), path_.c_str(), access.id()), H5Dclose);
        if (!dataset) return Error{Code::not_found, "the dataset " + path_ + " is gone", file_};
        return dataset;
    }

    std::uint64_t stored_frame(index frame) const {
        return static_cast<std::uint64_t>(selection_.first + frame * selection_.stride);
    }

    /// Frames that follow each other in the last dimension before the pixels.
    index run_length(index frame, index most) const {
        if (selection_.stride != 1) return 1;
        std::uint64_t const line = extent_[extent_.size() - 3];
        return std::min(most, static_cast<index>(line - stored_frame(frame) % line));
    }

    bool read(Handle const& dataset, index frame, index count, std::byte* to) const {
        std::size_t const rank = extent_.size();
        std::vector<hsize_t> start(rank, 0), n(rank, 1);
        std::uint64_t at = stored_frame(frame);
        for (std::size_t d = rank - 2; d-- > 0; at /= extent_[d]) start[d] = at % extent_[d];
        n[rank - 3] = static_cast<hsize_t>(count);
        n[rank - 2] = extent_[rank - 2];
        n[rank - 1] = extent_[rank - 1];
        Handle const space(H5Dget_space(dataset.id()), H5Sclose);
        Handle const memory(H5Screate_simple(static_cast<int>(rank), n.data(), nullptr), H5Sclose);
        return H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, n.data(),
                                   nullptr) >= 0 &&
               H5Dread(dataset.id(), memory_type(dtype_), memory.id(), space.id(), H5P_DEFAULT,
                       to) >= 0;
    }

    std::string file_, path_;
    std::vector<std::uint64_t> extent_;
    DType dtype_;
    std::uint64_t frame_bytes_, cache_, chunk_bytes_;
    Selection selection_;
    std::uint64_t stored_;
    std::shared_ptr<Pools> pools_;
};

}  // namespace

std::unique_ptr<Part const> library_part(StoredDataset const& dataset, Selection selection,
                                         std::shared_ptr<Pools> pools) {
    return std::make_unique<LibraryPart>(dataset, selection, std::move(pools));
}

}  // namespace sluice::hdf5
