// Damage done on purpose to an acquisition's frames.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/nxmx/writer.h"

namespace sluice::nxmx {

/// Whether this damage and these options go together.
Status check_damage(Acquisition const& acquisition);

/// Breaks the encoded bytes of one frame (lz4_garbage, zero_block and wrong_total).
void damage_chunk(Damage damage, std::vector<std::byte>& chunk);

/// What the last data file holds instead of the acquisition's frames.
struct LastFile {
    index frames, rows;
    DType dtype;
};
LastFile damage_last_file(Acquisition const& acquisition, index frames);

/// Little-endian values of one type as those of another, for wrong_dtype.
std::vector<std::byte> convert_values(Bytes values, DType from, DType to);

}  // namespace sluice::nxmx
