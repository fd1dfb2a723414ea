// The digest of vectors, and what must hold of those that come from a file.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/vectors/columns.h"

#include <fmt/format.h>

#include <cmath>

#include "base/hash.h"

namespace sluice::crystal {

std::uint64_t digest_of(BraggVectors const& v) {
    Xxh64 hash;
    auto const add = [&](auto const& values) { hash.update(std::as_bytes(std::span(values))); };
    add(v.scan_shape);
    add(v.detector_shape);
    add(v.first);
    add(v.reason);
    for (Column const& c : columns) add(v.*c.values);
    return hash.digest();
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
