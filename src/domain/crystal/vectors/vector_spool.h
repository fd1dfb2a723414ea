// VectorSpool: vectors that wait on the disk, since memory has no room for them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/scratch_file.h"
#include "domain/crystal/vectors/column_source.h"

namespace sluice::crystal {

/// Blocks of `piece_of_disks` disks follow each other in a file without a name; in each, one column
/// follows the other, so that a column is read in large pieces.
class VectorSpool final : public ColumnSource {
  public:
    VectorSpool(ScratchFile file, std::array<index, 2> scan, std::array<index, 2> detector);

    /// The disks of the next patterns. No reader has begun.
    Status add(BraggVectors const& next);
    /// When all patterns have come.
    Status close();
    index patterns() const { return std::ssize(reasons_); }

    Result<std::span<float const>> values(std::size_t column, index from, index to) override;

  private:
    Status write_block();

    ScratchFile file_;
    std::vector<index> firsts_ = {0};
    std::vector<DiskReason> reasons_ = {};
    std::array<std::vector<float>, std::size(columns)> held_ = {};  // written, it is for reading
    index written_ = 0;
};

}  // namespace sluice::crystal
