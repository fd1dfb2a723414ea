// Counters of Medipix3 chips in the order in which they are read out: Merlin's raw frames (R64).
// Source: the decoders of LiberTEM (MIT), io/dataset/mib.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// How the counters of a frame are stored. A chip sends groups of 64 bits, the last pixel of a
/// group first. Of four chips a stored line has a row each, the fourth chip's first; the third and
/// the fourth lie upside down below the others. 24 bits are two frames of 12, the upper bits first.
struct MedipixRaw {
    int depth = 12;     ///< bits of a counter: 1, 6, 12 or 24
    bool quad = false;  ///< 2x2 chips, and not one

    bool operator==(MedipixRaw const&) const = default;
};

/// Bytes of a decoded counter: 1, 2 or 4; 0: no such depth.
int medipix_element_bytes(int depth);
/// Bytes of a frame; nothing where it cannot be: another depth, or rows that no group fills.
std::optional<std::size_t> medipix_bytes(MedipixRaw how, index rows, index cols);

/// To little-endian elements, row by row.
Status decode_medipix(Bytes raw, MedipixRaw how, index rows, index cols,
                      std::span<std::byte> values);
/// The reverse. Counts that the depth does not hold are its largest.
std::vector<std::byte> encode_medipix(Bytes values, MedipixRaw how, index rows, index cols);

}  // namespace sluice::codec
