// Elements of a file as floats, raw or packed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "format/raw/flat_source.h"

namespace sluice::volume {

/// Reads out.size() elements from byte `at` on.
Status read_raw(File const& file, std::uint64_t at, StoredType type, std::span<float> out);
/// Reads out.size() elements out of a zlib or gzip stream from byte `at` on; more or fewer in it
/// are an error.
Status read_packed(File const& file, std::uint64_t at, StoredType type, std::span<float> out);

}  // namespace sluice::volume
