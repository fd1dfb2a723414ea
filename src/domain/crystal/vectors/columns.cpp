// The digest of vectors, and what must hold of those that come from a file.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "base/hash.h"
#include "domain/crystal/vectors/column_source.h"

namespace sluice::crystal {

Result<std::uint64_t> digest_of(ColumnSource& v) {
    Xxh64 hash;
    auto const add = [&](auto const& values) { hash.update(std::as_bytes(std::span(values))); };
    add(v.scan_shape);
    add(v.detector_shape);
    add(v.first);
    add(v.reason);
    for (std::size_t c = 0; c < std::size(columns); ++c)
        for (index from = 0; from < v.size(); from += piece_of_disks) {
            SLUICE_TRY(auto const values,
                       v.values(c, from, std::min(from + piece_of_disks, v.size())));
            add(values);
        }
    return hash.digest();
}

std::uint64_t digest_of(BraggVectors const& v) {
    VectorsInMemory source(v);
    return *digest_of(source);
}

Status check_sides(std::array<index, 2> const& scan, std::array<index, 2> const& detector) {
    constexpr index most = 1 << 24;
    for (index side : {scan[0], scan[1], detector[0], detector[1]})
        if (side < 1 || side > most)
            return Error{Code::corrupt,
                         fmt::format("the vectors are of a scan of {}x{} on a detector of {}x{} "
                                     "(sides of 1 to {} are read); copy the file again",
                                     scan[0], scan[1], detector[0], detector[1], most)};
    return {};
}

Status check_read(BraggVectors const& v, std::string const& path) {
    if (auto agree = stem4d::check_vectors(v); !agree) {
        agree.error().file = path;
        return agree;
    }
    for (index p = 0; p < v.patterns(); ++p)
        for (index i = v.first[static_cast<std::size_t>(p)];
             i < v.first[static_cast<std::size_t>(p) + 1]; ++i) {
            auto const k = static_cast<std::size_t>(i);
            if (std::isfinite(v.row[k]) && std::isfinite(v.col[k])) continue;
            return Error{Code::corrupt,
                         fmt::format("a disk of the pattern {},{} has no position ({}, {}); write "
                                     "the file again",
                                     p / v.scan_shape[1], p % v.scan_shape[1], v.row[k], v.col[k]),
                         path};
        }
    return {};
}

}  // namespace sluice::crystal
