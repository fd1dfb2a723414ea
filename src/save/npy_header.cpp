// The dictionary of an NPY header, padded as NumPy pads it.
// SPDX-License-Identifier: Apache-2.0
#include "save/npy_header.h"

#include <fmt/format.h>

#include "sluice/result.h"

namespace sluice::save {

std::string npy_header(std::string_view descr, std::vector<index> const& shape) {
    std::string extents;
    for (index e : shape) extents += fmt::format("{}, ", e);
    if (shape.size() == 1) extents.pop_back();
    if (shape.size() > 1) extents.resize(extents.size() - 2);
    std::string text =
        fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}), }}", descr, extents);
    constexpr std::size_t preamble = 10, alignment = 64;
    std::size_t const used = preamble + text.size() + 1;
    text.append((alignment - used % alignment) % alignment, ' ');
    text += '\n';
    expects(text.size() <= 0xffff);
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(text.size() & 0xff);
    header += static_cast<char>(text.size() >> 8);
    return header + text;
}

}  // namespace sluice::save
