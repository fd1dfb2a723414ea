// Pixels of a Picture, one by one.
// SPDX-License-Identifier: Apache-2.0
#include "figure/picture.h"

#include <algorithm>

namespace sluice::figure {
namespace {

bool inside(Picture const& p, index row, index col) {
    return row >= 0 && row < p.rows && col >= 0 && col < p.cols;
}

std::size_t offset(Picture const& p, index row, index col) {
    return static_cast<std::size_t>((row * p.cols + col) * 3);
}

}  // namespace

Picture blank(index rows, index cols, Rgb colour) {
    Picture p{rows, cols, std::vector<std::uint8_t>(static_cast<std::size_t>(rows * cols * 3))};
    for (index row = 0; row < rows; ++row)
        for (index col = 0; col < cols; ++col) set_pixel(p, row, col, colour);
    return p;
}

Rgb pixel(Picture const& picture, index row, index col) {
    expects(inside(picture, row, col));
    std::uint8_t const* p = picture.rgb.data() + offset(picture, row, col);
    return {p[0], p[1], p[2]};
}

void set_pixel(Picture& picture, index row, index col, Rgb colour) {
    if (!inside(picture, row, col)) return;
    std::uint8_t* p = picture.rgb.data() + offset(picture, row, col);
    p[0] = colour.r, p[1] = colour.g, p[2] = colour.b;
}

Picture nearest(Picture const& picture, index rows, index cols) {
    Picture out{rows, cols, std::vector<std::uint8_t>(static_cast<std::size_t>(rows * cols * 3))};
    // Of twice as many halves, so that a middle is a whole number.
    auto const under = [](index i, index size, index old) {
        return (2 * i + 1) * old / (2 * size);
    };
    for (index row = 0; row < rows; ++row)
        for (index col = 0; col < cols; ++col)
            std::copy_n(picture.rgb.data() + offset(picture, under(row, rows, picture.rows),
                                                    under(col, cols, picture.cols)),
                        3, out.rgb.data() + offset(out, row, col));
    return out;
}

}  // namespace sluice::figure
