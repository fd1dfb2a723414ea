// The formats of files of Bragg vectors, each with what writes and reads it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/vectors/column_source.h"
#include "sluice/provenance.h"

namespace sluice::crystal {

/// An error where the end of the name is that of no format.
Status check_name(std::string const& path);

/// The vectors agree, which check_vectors() says.
Status save_columns(std::string const& path, ColumnSource& vectors, Provenance const& about);
Status save_npy(std::string const& path, ColumnSource& vectors);
Status save_csv(std::string const& path, ColumnSource& vectors);
Status save_emd(std::string const& path, ColumnSource& vectors, Provenance const& about);

Result<BraggVectors> load_npy(std::string const& path);
Result<BraggVectors> load_emd(std::string const& path, std::string const& node);

/// The parts of our NPY files.
inline constexpr std::size_t record_bytes = 2 * sizeof(std::int32_t) + 9 * sizeof(float);
/// The fields of a record as NumPy writes them: 'pattern_row', 'pattern_col' and the columns.
std::string record_descr();

/// Where our own columns are in a node of an EMD file.
inline constexpr std::string_view own_group = "sluice";
/// An attribute of the node: that it has them. One damaged name alone does not hide them.
inline constexpr std::string_view own_mark = "sluice_columns";

}  // namespace sluice::crystal
