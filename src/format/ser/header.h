// SER files of FEI's TIA: where their elements are, and what each is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "format/scan_shape.h"
#include "format/stored_type.h"
#include "sluice/source.h"

namespace sluice::ser {

struct Header {
    bool images = true;                       ///< else spectra, of one row
    index elements = 0;                       ///< those that are valid
    std::vector<std::uint64_t> offsets = {};  ///< of each element's own header
    std::vector<index> dimensions = {};       ///< of the series, the fastest first
    double step_m = 0;                        ///< along the fastest, where the series is in metres
};
Result<Header> read_header(Source const& file);

struct Element {
    index rows = 1, cols = 0;
    StoredType stored = {};
    std::uint64_t header_bytes = 0;
    double step = 0;  ///< of a column, in the file's unit: metres, or 1/metres

    bool operator==(Element const&) const = default;
};
Result<Element> read_element(Source const& file, Header const& header, std::size_t number);

}  // namespace sluice::ser
