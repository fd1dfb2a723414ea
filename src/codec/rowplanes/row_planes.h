// A frame as bit planes of eight rows each, of which those are left out that hold no bit above.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "codec/bitshuffle/transpose.h"
#include "sluice/result.h"

namespace sluice::codec {

/// Frames of which planes are made: their pixels are a multiple of eight, of 1, 2 or 4 bytes.
struct RowPlanesForm {
    index rows = 0, cols = 0;
    int bytes = 2;

    index pixels() const { return rows * cols; }
    index block_rows() const { return (rows + 7) / 8; }
    bool can_be() const { return pixels() % 8 == 0 && (bytes == 1 || bytes == 2 || bytes == 4); }
    /// What pack_row_planes() writes at most.
    std::size_t bound() const {
        return static_cast<std::size_t>(block_rows() * 4 + pixels() * bytes);
    }
};

/// For each eight rows the bits that any of their values has (32 bits); then their planes up to the
/// highest of these, eight rows after the other. `out` has room for bound() bytes, and what lies
/// behind the result may be overwritten. Returns the bytes of the result.
std::size_t pack_row_planes(Plain values, RowPlanesForm form, Isa isa, std::byte* out);

/// The same from bit planes of a frame: plane p, of pixels() / 8 bytes, begins at planes + p *
/// stride.
std::size_t pack_row_planes(std::byte const* planes, index stride, int count, RowPlanesForm form,
                            std::byte* out);

/// Eight rows, or those that are left at the end.
struct EightRows {
    std::uint32_t bits = 0;  ///< that any value has
    index first = 0;         ///< pixel
    int count = 0;           ///< planes
    Bytes planes = {};

    index plane_bytes() const { return count > 0 ? std::ssize(planes) / count : 0; }
};

/// Goes through what pack_row_planes() wrote, and reads nothing that is not there.
class RowPlanesWalk {
  public:
    static Result<RowPlanesWalk> begin(Bytes packed, RowPlanesForm form);
    /// Called block_rows() times.
    Result<EightRows> next();

  private:
    Bytes packed_ = {};
    RowPlanesForm form_ = {};
    index row_ = 0;
    std::size_t at_ = 0;
};

/// To little-endian values, form.pixels() of them.
Status unpack_row_planes(Bytes packed, RowPlanesForm form, Isa isa, std::span<std::byte> values);

}  // namespace sluice::codec
