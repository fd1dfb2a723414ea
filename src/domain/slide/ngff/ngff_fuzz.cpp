// Fuzz target: any text as the attributes of an image, or as the metadata of an array.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/folder.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice::slide;
    std::string const text(reinterpret_cast<char const*>(data), size);
    if (auto const image = ngff::parse_image(text))
        sluice::expects(!image->levels.empty() && !image->axes.empty());
    if (auto const array = ngff::parse_array(text))
        sluice::expects(array->shape.size() == array->chunk.size());
    return 0;
}
