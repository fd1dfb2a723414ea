// The table of how CZI files are opened.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/czi.h"

namespace sluice::czi {

inline constexpr config::Field<SlideOpenOptions> open_fields[] = {
    config::field<&SlideOpenOptions::recover>(
        "recover", "of CZI: find the tiles by walking the file, where it was not finished"),
    config::field<&SlideOpenOptions::trust_directory>(
        "trust_directory",
        "of CZI: take tiles as the directory describes them, although they say otherwise"),
};

}  // namespace sluice::czi
