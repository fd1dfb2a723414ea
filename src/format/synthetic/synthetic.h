// "synthetic:stem4d?...": a simulated acquisition in the place of a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/synthetic/crystal.h"
#include "format/table.h"

namespace sluice::synthetic {

/// The acquisition these options describe; its frames are made when they are fetched.
Result<Dataset> make(SyntheticOptions const& options);
Result<Dataset> make(CrystalOptions const& options);

bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr Format format{"synthetic", "simulated data, e.g. synthetic:stem4d?scan=64x64",
                               recognises, open};

}  // namespace sluice::synthetic
