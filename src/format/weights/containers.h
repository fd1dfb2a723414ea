// The kinds of files that hold weights.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/weights/weights.h"

namespace sluice::weights {

/// Fills `out`, whose file is set, as what it is.
Status read_torch_zip(Weights& out);
Status read_torch_legacy(Weights& out);
Status read_safetensors(Weights& out);

/// Up to `size` bytes of the file from `at` on.
Result<std::vector<std::byte>> read_part(Source const& file, std::uint64_t at, std::uint64_t size);

}  // namespace sluice::weights
