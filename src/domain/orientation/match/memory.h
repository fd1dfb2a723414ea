// What orientations of a scan take in memory, beside the library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "domain/orientation/library/library.h"

namespace sluice::orient {

/// Of one worker: the spectra of a group of patterns, and where they were searched.
std::uint64_t matcher_bytes(stem4d::OrientationLibrary::State const& library);
/// Matches as they are found, and the map's columns of them.
std::uint64_t map_bytes(index patterns, index grains);

/// An error where a map of so many patterns, or its workers, do not fit into what is free.
Status check_memory(stem4d::OrientationLibrary::State const& library, index patterns, index grains,
                    int threads);

}  // namespace sluice::orient
