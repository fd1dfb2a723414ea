// The table of how an acquisition is written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "format/nxmx/writer_words.h"

namespace sluice::nxmx {

inline constexpr config::Field<Acquisition> writer_fields[] = {
    config::field<&Acquisition::layout>("layout", "of the files").called("--file-layout"),
    config::field<&Acquisition::compression>("compression", "of the frames"),
    config::field<&Acquisition::frames_per_file>("frames_per_file", "frames in one data file"),
    config::field<&Acquisition::companion>("companion", "leave out OUT.h5 with the scan's shape"),
    config::field<&Acquisition::damage>("damage", "what is broken"),
};

}  // namespace sluice::nxmx
