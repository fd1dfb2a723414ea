// ColumnSource: the vectors of a scan as writers ask for them, in memory or on the disk.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "domain/crystal/vectors/columns.h"

namespace sluice::crystal {

class ColumnSource {
  public:
    virtual ~ColumnSource() = default;

    std::array<index, 2> scan_shape{}, detector_shape{};
    std::span<index const> first = {};        ///< [pattern + 1]
    std::span<DiskReason const> reason = {};  ///< [pattern]

    index size() const { return first.back(); }
    /// Of the column of that number: the disks [from, to), until the next call for it.
    virtual Result<std::span<float const>> values(std::size_t column, index from, index to) = 0;
};

/// Disks that writers look at together.
inline constexpr index piece_of_disks = 1 << 16;

class VectorsInMemory final : public ColumnSource {
  public:
    explicit VectorsInMemory(BraggVectors const& vectors) : vectors_(vectors) {
        scan_shape = vectors.scan_shape, detector_shape = vectors.detector_shape;
        first = vectors.first, reason = vectors.reason;
    }
    Result<std::span<float const>> values(std::size_t column, index from, index to) override {
        return std::span(vectors_.*columns[column].values)
            .subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
    }

  private:
    BraggVectors const& vectors_;
};

using DiskValues = std::array<float, std::size(columns)>;

/// Calls take(pattern, values) for each disk, in order; it returns a Status.
template <class Take>
Status each_disk(ColumnSource& source, Take const& take) {
    std::size_t pattern = 0;
    for (index from = 0; from < source.size(); from += piece_of_disks) {
        index const to = std::min(from + piece_of_disks, source.size());
        std::array<std::span<float const>, std::size(columns)> its;
        for (std::size_t c = 0; c < its.size(); ++c) {
            SLUICE_TRY(its[c], source.values(c, from, to));
        }
        for (index i = from; i < to; ++i) {
            while (source.first[pattern + 1] <= i) ++pattern;
            DiskValues disk;
            for (std::size_t c = 0; c < its.size(); ++c)
                disk[c] = its[c][static_cast<std::size_t>(i - from)];
            SLUICE_CHECK(take(static_cast<index>(pattern), disk));
        }
    }
    return {};
}

/// Of everything in the vectors, bit by bit.
Result<std::uint64_t> digest_of(ColumnSource& source);

}  // namespace sluice::crystal
