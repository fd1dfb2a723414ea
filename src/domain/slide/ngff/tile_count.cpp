// Counting tiles before there is a list of them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/tile_count.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "zarr/chunk_names.h"

namespace sluice::slide {
namespace {

// Each tile of the list takes some 150 bytes.
constexpr index most_tiles = index{1} << 22;

double tiles_of(ZarrPyramid const& p, ZarrLevel const& level) {
    zarr::Layout const& layout = level.array.layout();
    double n = 1;
    for (std::size_t d = 0; d < layout.shape.size(); ++d)
        n *= d == p.x || d == p.y ? static_cast<double>(parts(layout.shape[d], layout.chunk[d]))
                                  : static_cast<double>(layout.shape[d]);
    return n;
}

// Tiles that a file of the level can have at most.
double tiles_per_file(ZarrPyramid const& p, ZarrLevel const& level) {
    zarr::Layout const& layout = level.array.layout();
    auto const& file = layout.shard.empty() ? layout.chunk : layout.shard;
    double n = 1;
    for (std::size_t d = 0; d < file.size(); ++d)
        n *= static_cast<double>(d == p.x || d == p.y ? file[d] / layout.chunk[d]
                                                      : std::min(file[d], layout.shape[d]));
    return n;
}

}  // namespace

// Many tiles must be there, at least one of a thousand: a few words of damaged metadata would
// otherwise take all memory.
Status check_count(ZarrPyramid const& p, std::string const& path) {
    constexpr double always_allowed = 1 << 18, least_share = 1024;
    double tiles = 0;
    for (ZarrLevel const& l : p.levels) {
        double const n = tiles_of(p, l);
        tiles += n;
        if (n <= always_allowed || n > static_cast<double>(most_tiles)) continue;
        auto const want = static_cast<index>(std::ceil(n / least_share / tiles_per_file(p, l)));
        if (index const files = zarr::count_chunk_files(l.array.path(), want); files < want)
            return Error{Code::corrupt,
                         fmt::format("says that it has {:.0f} chunks in its planes, of which {} "
                                     "files are there; copy it again, or write it with larger "
                                     "chunks",
                                     n, files),
                         l.array.path()};
    }
    if (tiles <= static_cast<double>(most_tiles)) return {};
    return Error{Code::unsupported,
                 fmt::format("has {:.0f} chunks in its planes (up to {} are read); write it again "
                             "with larger chunks",
                             tiles, most_tiles),
                 path};
}

}  // namespace sluice::slide
