// Undoing filters: every length is known or bounded before memory is taken.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/bytes.h"
#include "codec/bitshuffle/bitshuffle.h"
#include "codec/blosc/blosc.h"
#include "codec/deflate/deflate.h"
#include "codec/fletcher32/fletcher32.h"
#include "codec/lzf/lzf.h"
#include "codec/shuffle/shuffle.h"
#include "codec/zstd/zstd.h"

namespace sluice::hdf5 {
namespace {

using codec::Compression;

std::optional<Compression> bitshuffle_kind(Filter const& f) {
    switch (f.values.size() > 4 ? f.values[4] : 0) {
        case 0:
            return Compression::none;
        case 2:
            return Compression::lz4;
        case 3:
            return Compression::zstd;
        default:
            return {};
    }
}

bool known(Filter const& f) {
    switch (f.id) {
        case filter_deflate:
        case filter_fletcher32:
        case filter_lzf:
        case filter_blosc:
        case filter_lz4:
        case filter_zstd:
            return true;
        case filter_shuffle:
            return !f.values.empty() && f.values[0] >= 1;
        case filter_bitshuffle:
            return f.values.size() > 2 && f.values[2] >= 1 &&
                   f.values[2] <= unsigned{codec::most_element_bytes} && bitshuffle_kind(f);
        default:
            return false;
    }
}

/// The size of elements that a filter was made for; writers take the dataset's. Other filters, and
/// Blosc's where it does not fit into a byte, have none.
std::optional<std::size_t> element_of(Filter const& f) {
    std::size_t const at = f.id == filter_shuffle ? 0 : 2;
    bool const has = f.id == filter_shuffle || f.id == filter_bitshuffle || f.id == filter_blosc;
    if (!has || f.values.size() <= at || f.values[at] == 0) return {};
    if (f.id == filter_blosc && f.values[at] > 255) return {};
    return f.values[at];
}

/// The size that a 12-byte header announces, if there is room for it.
Result<std::size_t> size_in_header(Bytes chunk, std::size_t room) {
    if (chunk.size() < 12)
        return Error{Code::corrupt, "a chunk shorter than its header; the file is damaged"};
    auto const total = load_be<std::uint64_t>(chunk.data());
    if (total > room)
        return Error{Code::corrupt,
                     fmt::format("a chunk that says it holds {} bytes (at most {} are possible); "
                                 "the file is damaged",
                                 total, room)};
    return static_cast<std::size_t>(total);
}

Result<std::size_t> undo_bitshuffle(Filter const& f, Bytes in, std::span<std::byte> room) {
    auto const kind = bitshuffle_kind(f);
    if (!kind) return Error{Code::unsupported, "an unknown kind of bitshuffle"};
    std::size_t total = in.size();
    if (*kind != Compression::none) {
        SLUICE_TRY(total, size_in_header(in, room.size()));
    }
    if (total > room.size()) return Error{Code::corrupt, "a chunk longer than its shape says"};
    SLUICE_CHECK(
        codec::decode_bitshuffle(in, *kind, static_cast<int>(f.values[2]), room.first(total),
                                 f.values.size() > 3 ? static_cast<index>(f.values[3]) : 0));
    return total;
}

Result<std::size_t> undo(Filter const& f, Bytes in, std::span<std::byte> room) {
    switch (f.id) {
        case filter_deflate:
            return codec::inflate_zlib(in, room);
        case filter_lzf:
            return codec::lzf_decompress(in, room);
        case filter_blosc:
            // Its header says the size again.
            if (auto const size = element_of(f);
                size && in.size() > 3 && std::to_integer<std::size_t>(in[3]) != *size)
                return Error{Code::corrupt,
                             fmt::format("a Blosc chunk of elements of {} bytes in a dataset whose "
                                         "filter has {}; the file is damaged, copy it again",
                                         std::to_integer<int>(in[3]), *size)};
            return codec::blosc_decompress(in, room);
        case filter_zstd:
            return codec::zstd_decompress_some(in, room);
        case filter_bitshuffle:
            return undo_bitshuffle(f, in, room);
        case filter_lz4: {
            SLUICE_TRY(std::size_t const total, size_in_header(in, room.size()));
            SLUICE_CHECK(codec::decode_lz4(in, room.first(total)));
            return total;
        }
        case filter_shuffle:
            if (in.size() > room.size())
                return Error{Code::corrupt, "a chunk longer than its shape says"};
            SLUICE_CHECK(codec::unshuffle(in, static_cast<int>(std::min(f.values[0], 0x7fffffffU)),
                                          room.first(in.size())));
            return in.size();
        default:
            return Error{Code::unsupported, fmt::format("HDF5 filter {}", f.id)};
    }
}

Status wrong_size(std::size_t found, std::size_t wanted) {
    if (found == wanted) return {};
    return Error{Code::corrupt,
                 fmt::format("a chunk decodes to {} bytes where its shape needs {}; the file is "
                             "damaged, copy it again",
                             found, wanted)};
}

}  // namespace

std::string_view usual_name(int id) {
    switch (id) {
        case filter_deflate:
            return "deflate";
        case filter_shuffle:
            return "shuffle";
        case filter_fletcher32:
            return "fletcher32";
        case filter_szip:
            return "szip";
        case filter_nbit:
            return "nbit";
        case filter_scaleoffset:
            return "scaleoffset";
        case 307:
            return "bzip2";
        case filter_lzf:
            return "lzf";
        case filter_blosc:
            return "blosc";
        case filter_lz4:
            return "lz4";
        case filter_bitshuffle:
            return "bitshuffle";
        case 32013:
            return "zfp";
        case filter_zstd:
            return "zstd";
        case 32026:
            return "blosc2";
        default:
            return {};
    }
}

Status check_filters(std::vector<Filter> const& filters, std::size_t element_bytes,
                     std::string const& file) {
    for (Filter const& f : filters) {
        if (known(f) && element_of(f).value_or(element_bytes) != element_bytes)
            return Error{Code::corrupt,
                         fmt::format("the filter {} was made for elements of {} bytes, and the "
                                     "dataset's have {}; the file is damaged, copy it again",
                                     usual_name(f.id), *element_of(f), element_bytes),
                         file};
        if (known(f)) continue;
        std::string name{f.name.empty() ? usual_name(f.id) : std::string_view(f.name)};
        if (f.id == filter_bitshuffle) name = "bitshuffle of an unknown kind";
        return Error{Code::unsupported,
                     fmt::format("frames are compressed with HDF5 filter {}{} (there is no decoder "
                                 "for it here); rewrite the file with h5repack -f NONE",
                                 f.id, name.empty() ? "" : " \"" + name + "\""),
                     file};
    }
    return {};
}

Status decode_chunk(Bytes stored, std::vector<Filter> const& filters, std::uint32_t mask,
                    std::span<std::byte> out) {
    std::vector<Filter const*> active;  // the first one to undo first
    for (std::size_t i = filters.size(); i-- > 0;)
        if (i >= 32 || (mask >> i & 1) == 0) active.push_back(&filters[i]);
    std::vector<std::byte> buffers[2];
    std::size_t free = 0;  // the buffer that `stored` is not in
    bool in_out = false;
    for (std::size_t i = 0; i < active.size(); ++i) {
        Filter const& f = *active[i];
        if (f.id == filter_fletcher32) {
            SLUICE_TRY(stored, codec::check_fletcher32(stored));
            in_out = false;
            continue;
        }
        in_out = i + 1 == active.size();
        std::span<std::byte> room = out;
        if (!in_out) {
            // What other filters made of the values is a little longer than they are at most.
            bool const same = f.id == filter_shuffle;
            free ^= 1;
            buffers[free].resize(same ? stored.size() : longest_stored(out.size()));
            room = buffers[free];
        }
        SLUICE_TRY(std::size_t const n, undo(f, stored, room));
        stored = room.first(n);
    }
    SLUICE_CHECK(wrong_size(stored.size(), out.size()));
    if (!in_out && !out.empty()) std::memcpy(out.data(), stored.data(), out.size());
    return {};
}

bool over_edge(std::span<std::uint64_t const> position, std::span<std::uint64_t const> chunk,
               std::span<std::uint64_t const> extent) {
    for (std::size_t d = 0; d < position.size(); ++d)
        if (position[d] * chunk[d] + chunk[d] > extent[d]) return true;
    return false;
}

}  // namespace sluice::hdf5
