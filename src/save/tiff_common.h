// Opening a TIFF for writing, without libtiff printing to stderr.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tiffio.h>

#include <memory>
#include <string>

namespace sluice::save {

struct CloseTiff {
    void operator()(TIFF* t) const { TIFFClose(t); }
};
using Tiff = std::unique_ptr<TIFF, CloseTiff>;

/// The first message of libtiff goes into `message`, which must live as long as the file.
Tiff open_tiff(std::string const& path, bool big, std::string& message);

}  // namespace sluice::save
