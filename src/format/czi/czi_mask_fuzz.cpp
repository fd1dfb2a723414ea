// Fuzz target: any bytes as the attachment of a sub-block, which may hold a mask.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/czi.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    using sluice::index;  // and not what strings.h calls so
    auto const mask = czi::parse_mask(std::as_bytes(std::span(data, size)));
    if (!mask || mask->width == 0) return 0;
    expects(mask->bits.size() <= size &&
            mask->bits.size() / static_cast<std::size_t>(mask->stride) ==
                static_cast<std::size_t>(mask->height));
    index valid = 0;
    for (index const y : {index{-1}, index{0}, mask->height - 1, mask->height})
        for (index x = -1; x <= mask->width; ++x) valid += mask->valid(x, y);
    expects(valid <= 3 * mask->width);
    return 0;
}
