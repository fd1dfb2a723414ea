// The columns of Bragg vectors: their names in files, and their digest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/bragg_vectors.h"

namespace sluice::crystal {

using stem4d::BraggVectors;
using stem4d::DiskReason;

struct Column {
    std::string_view name, unit;
    std::vector<float> BraggVectors::*values;
};

inline constexpr Column columns[] = {
    {"row", "pixels", &BraggVectors::row},
    {"col", "pixels", &BraggVectors::col},
    {"intensity", "counts", &BraggVectors::intensity},
    {"background", "counts", &BraggVectors::background},
    {"var_row", "pixels^2", &BraggVectors::var_row},
    {"var_col", "pixels^2", &BraggVectors::var_col},
    {"cov_row_col", "pixels^2", &BraggVectors::cov_row_col},
    {"intensity_error", "counts", &BraggVectors::intensity_error},
    {"score", "", &BraggVectors::score},
};
/// Of these other programs' files have no more.
inline constexpr std::size_t common_columns = 3;

inline constexpr DiskReason last_reason = DiskReason::off_detector;

/// Of everything in the vectors, bit by bit.
std::uint64_t digest_of(BraggVectors const& vectors);

/// An error without a file, unless each side is one that a scan or a detector can have.
Status check_sides(std::array<index, 2> const& scan, std::array<index, 2> const& detector);

/// The same of what a caller gives, in the words of check_vectors().
Status check_given_sides(std::array<index, 2> const& scan, std::array<index, 2> const& detector);

/// What readers check when all is read: the columns agree, positions are finite.
Status check_read(BraggVectors const& vectors, std::string const& path);

}  // namespace sluice::crystal
