// Filters 32008 and 32004 for libhdf5, over the codecs of this project, for files of tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <algorithm>

#include "base/bytes.h"
#include "codec/bitshuffle/bitshuffle.h"
#include "format/hdf5/filters.h"

namespace sluice::hdf5 {
namespace test {

using codec::Compression;

/// Puts `bytes` in the place of `*buffer`; 0 tells libhdf5 that it failed.
inline std::size_t replace(Bytes bytes, std::size_t* size, void** buffer) {
    void* const to = H5allocate_memory(std::max<std::size_t>(bytes.size(), 1), false);
    if (to == nullptr) return 0;
    std::copy(bytes.begin(), bytes.end(), static_cast<std::byte*>(to));
    H5free_memory(*buffer);
    *buffer = to;
    *size = bytes.size();
    return bytes.size();
}

/// Decodes `from` into `decoded` bytes with `decode(from, to)` and puts them in its place.
template <class Decode>
std::size_t unpack(Bytes from, std::size_t decoded, std::size_t* size, void** buffer,
                   Decode decode) {
    // The densest frame of these filters is zstd's some hundred to one.
    if (decoded == 0 || decoded / 1024 > from.size()) return 0;
    std::vector<std::byte> values(decoded);
    return decode(from, std::span(values)) ? replace(values, size, buffer) : 0;
}

inline std::size_t size_in_header(Bytes chunk) {
    return chunk.size() < 12 ? 0 : static_cast<std::size_t>(load_be<std::uint64_t>(chunk.data()));
}

inline std::size_t bitshuffle(unsigned flags, std::size_t n, unsigned const* values,
                              std::size_t bytes, std::size_t* size, void** buffer) {
    unsigned const packed = n > 4 ? values[4] : 0;
    bool const known = n >= 3 && values[2] >= 1 && values[2] <= unsigned{codec::most_element_bytes};
    if (!known || (packed != 0 && packed != 2 && packed != 3)) return 0;
    int const element = static_cast<int>(values[2]);
    index const block = n > 3 ? static_cast<index>(values[3]) : 0;
    Bytes const from{static_cast<std::byte const*>(*buffer), bytes};
    if ((flags & H5Z_FLAG_REVERSE) == 0)
        return replace(packed == 2   ? codec::encode_bitshuffle_lz4(from, element, block)
                       : packed == 3 ? codec::encode_bitshuffle_zstd(from, element, block)
                                     : codec::encode_bitshuffle(from, element, block),
                       size, buffer);
    auto const how = packed == 2   ? Compression::lz4
                     : packed == 3 ? Compression::zstd
                                   : Compression::none;
    std::size_t const decoded = packed == 0 ? bytes : size_in_header(from);
    return unpack(from, decoded, size, buffer, [&](Bytes chunk, std::span<std::byte> to) {
        return codec::decode_bitshuffle(chunk, how, element, to, block).has_value();
    });
}

inline std::size_t lz4(unsigned flags, std::size_t, unsigned const*, std::size_t bytes,
                       std::size_t* size, void** buffer) {
    Bytes const from{static_cast<std::byte const*>(*buffer), bytes};
    if ((flags & H5Z_FLAG_REVERSE) == 0) return replace(codec::encode_lz4(from), size, buffer);
    return unpack(from, size_in_header(from), size, buffer,
                  [](Bytes chunk, std::span<std::byte> to) {
                      return codec::decode_lz4(chunk, to).has_value();
                  });
}

/// Lets libhdf5 use bitshuffle and LZ4 where no plugin does. Needs the LibraryLock.
inline void register_filters() {
    auto const add = [](int id, char const* name, H5Z_func_t function) {
        if (H5Zfilter_avail(id) > 0) return;
        // With the encoder: libhdf5 refuses to make datasets with a filter that cannot encode.
        H5Z_class2_t const filter{H5Z_CLASS_T_VERS, id, 1, 1, name, nullptr, nullptr, function};
        H5Zregister(&filter);
    };
    add(filter_bitshuffle, "bitshuffle", bitshuffle);
    add(filter_lz4, "lz4", lz4);
}

}  // namespace test
}  // namespace sluice::hdf5
