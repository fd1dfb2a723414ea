// MIB files of Quantum Detectors' Merlin: one file, or numbered ones, with or without their HDR.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/mib/sequence.h"
#include "format/table.h"

namespace sluice::mib {

/// By its first bytes: a frame (MQ1), or the header of an acquisition (HDR) named .hdr.
bool recognises(std::string_view path, Bytes head);
/// Any file of an acquisition opens all of it.
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr std::string_view growing_files[] = {".mib"};
inline constexpr Format format{
    .name = "mib",
    .title = "Merlin MIB files (U08, U16, U32, R64) of Quantum Detectors",
    .recognises = recognises,
    .open = open,
    .is_part = [](std::string const& path) { return is_name(path) && is_later_file(path); },
    .while_written = growing_files};

}  // namespace sluice::mib
