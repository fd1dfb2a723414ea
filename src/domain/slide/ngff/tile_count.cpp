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

// Lists the existing files instead of all that the shape allows. A chunk without a file is
// background, which is 0: with another fill value all are listed, if they are not too many.
Status list_files(ZarrLevel& level, double tiles, index told) {
    zarr::Layout const& layout = level.array.layout();
    std::string const& path = level.array.path();
    SLUICE_TRY(level.files, zarr::chunk_files(path, layout));
    if (std::ssize(*level.files) != told)
        return Error{Code::corrupt,
                     fmt::format("has {} files of chunks (its image says {}); copy it again",
                                 level.files->size(), told),
                     path};
    bool const zero =
        std::ranges::all_of(layout.fill, [](std::byte b) { return b == std::byte{0}; });
    if (zero) return {};
    level.files.reset();
    if (tiles <= static_cast<double>(most_tiles)) return {};
    return Error{Code::unsupported,
                 "has far more chunks than files, and a fill value that is not 0; write it again "
                 "with larger chunks or --background 0",
                 path};
}

}  // namespace

// Of many tiles at least one in a thousand must exist: damaged metadata could otherwise take all
// memory.
Status check_count(ngff::Image const& image, ZarrPyramid& p, std::string const& path) {
    constexpr double always_allowed = 1 << 18, least_share = 1024;
    double tiles = 0;
    for (ZarrLevel& l : p.levels) {
        double n = tiles_of(p, l);
        bool const many = n > always_allowed;
        auto const want = static_cast<index>(std::ceil(
            std::min(n, static_cast<double>(most_tiles)) / least_share / tiles_per_file(p, l)));
        index const files = many ? zarr::count_chunk_files(l.array.path(), want) : want;
        if (files < want && l.number < image.files.size()) {
            SLUICE_CHECK(list_files(l, n, image.files[l.number]));
            if (l.files) n = static_cast<double>(files) * tiles_per_file(p, l);
        } else if (files < want && n <= static_cast<double>(most_tiles)) {
            return Error{Code::corrupt,
                         fmt::format("states {:.0f} chunks in its planes, but has {} files of "
                                     "chunks; copy it again, or write it with larger "
                                     "chunks",
                                     n, files),
                         l.array.path()};
        }
        tiles += n;
    }
    if (tiles <= static_cast<double>(most_tiles)) return {};
    return Error{Code::unsupported,
                 fmt::format("has {:.0f} chunks in its planes (up to {} are read); write it again "
                             "with larger chunks",
                             tiles, most_tiles),
                 path};
}

}  // namespace sluice::slide
