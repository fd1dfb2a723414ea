// Chunks without filters, or with one of the detector filters.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/decode.h"

#include <fmt/format.h>

#include "codec/bitshuffle/bitshuffle.h"
#include "format/hdf5/filters.h"

namespace sluice::hdf5::object {

Result<std::vector<std::byte>> undo_filters(std::vector<PipelineFilter> const& filters,
                                            std::uint32_t mask, Bytes chunk, std::uint64_t bytes,
                                            std::uint64_t element_bytes) {
    std::vector<std::byte> out(chunk.begin(), chunk.end());
    for (std::size_t i = filters.size(); i-- > 0;) {
        if (i < 32 && (mask >> i & 1) != 0) continue;
        PipelineFilter const& f = filters[i];
        std::vector<std::byte> to(static_cast<std::size_t>(bytes));
        auto const value = [&](std::size_t n) { return n < f.values.size() ? f.values[n] : 0; };
        if (f.id == filter_lz4) {
            SLUICE_CHECK(codec::decode_lz4(out, to));
        } else if (f.id == filter_bitshuffle) {
            auto const how = value(4) == 2   ? codec::Compression::lz4
                             : value(4) == 3 ? codec::Compression::zstd
                                             : codec::Compression::none;
            SLUICE_CHECK(codec::decode_bitshuffle(out, how, static_cast<int>(element_bytes), to,
                                                  static_cast<index>(value(3))));
        } else {
            return Error{Code::unsupported,
                         fmt::format("it is compressed with HDF5 filter {}{} (there is no decoder "
                                     "for it here); rewrite it with h5repack -f NONE",
                                     f.id, f.name.empty() ? "" : " \"" + f.name + "\"")};
        }
        out = std::move(to);
    }
    if (out.size() != bytes)
        return Error{Code::corrupt,
                     fmt::format("a chunk has {} bytes (its shape needs {}); copy the file again",
                                 out.size(), bytes)};
    return out;
}

}  // namespace sluice::hdf5::object
