// Drawing pixel by pixel.
// SPDX-License-Identifier: Apache-2.0
#include "figure/picture.h"

#include <algorithm>
#include <cmath>

namespace sluice::figure {
namespace {

std::size_t offset(Picture const& picture, index row, index col) {
    return static_cast<std::size_t>((row * picture.cols + col) * 3);
}

bool inside(Picture const& picture, index row, index col) {
    return row >= 0 && col >= 0 && row < picture.rows && col < picture.cols;
}

/// Which old pixels, in one direction, a new one covers; in units of 1 / (old size * new size).
struct Cover {
    index first, last;
    index begin, end, old_pixel;
    double weight(index i) const {
        index const from = std::max(begin, i * old_pixel), to = std::min(end, (i + 1) * old_pixel);
        return static_cast<double>(to - from) / static_cast<double>(end - begin);
    }
};

std::vector<Cover> covers(index old_size, index new_size) {
    std::vector<Cover> out;
    for (index i = 0; i < new_size; ++i) {
        index const begin = i * old_size, end = begin + old_size;
        out.push_back({begin / new_size, (end - 1) / new_size, begin, end, new_size});
    }
    return out;
}

}  // namespace

Picture blank(index rows, index cols, Rgb colour) {
    Picture p{rows, cols, std::vector<std::uint8_t>(static_cast<std::size_t>(rows * cols * 3))};
    fill(p, {0, 0, rows, cols}, colour);
    return p;
}

Rgb pixel(Picture const& picture, index row, index col) {
    expects(inside(picture, row, col));
    std::uint8_t const* p = picture.rgb.data() + offset(picture, row, col);
    return {p[0], p[1], p[2]};
}

void set_pixel(Picture& picture, index row, index col, Rgb colour, double opacity) {
    if (!inside(picture, row, col)) return;
    std::uint8_t* p = picture.rgb.data() + offset(picture, row, col);
    auto const mix = [opacity](std::uint8_t below, std::uint8_t above) {
        return static_cast<std::uint8_t>(std::lround(below + opacity * (above - below)));
    };
    p[0] = mix(p[0], colour.r);
    p[1] = mix(p[1], colour.g);
    p[2] = mix(p[2], colour.b);
}

void fill(Picture& picture, Box box, Rgb colour, double opacity) {
    for (index row = box.top; row < box.bottom(); ++row)
        for (index col = box.left; col < box.right(); ++col)
            set_pixel(picture, row, col, colour, opacity);
}

void frame(Picture& picture, Box box, Rgb colour) {
    fill(picture, {box.top - 1, box.left - 1, 1, box.cols + 2}, colour);
    fill(picture, {box.bottom(), box.left - 1, 1, box.cols + 2}, colour);
    fill(picture, {box.top, box.left - 1, box.rows, 1}, colour);
    fill(picture, {box.top, box.right(), box.rows, 1}, colour);
}

void paste(Picture& onto, index top, index left, Picture const& from) {
    index const first_row = std::max<index>(0, -top), first_col = std::max<index>(0, -left);
    index const end_row = std::min(from.rows, onto.rows - top);
    index const cols = std::min(from.cols, onto.cols - left) - first_col;
    for (index row = first_row; row < end_row && cols > 0; ++row)
        std::copy_n(from.rgb.data() + offset(from, row, first_col), cols * 3,
                    onto.rgb.data() + offset(onto, top + row, left + first_col));
}

Picture resized(Picture const& picture, index rows, index cols) {
    std::vector<Cover> const down = covers(picture.rows, rows), across = covers(picture.cols, cols);
    Picture out = blank(rows, cols, {});
    for (index row = 0; row < rows; ++row)
        for (index col = 0; col < cols; ++col) {
            double sum[3] = {0, 0, 0};
            Cover const &r = down[static_cast<std::size_t>(row)],
                        &c = across[static_cast<std::size_t>(col)];
            for (index i = r.first; i <= r.last; ++i)
                for (index j = c.first; j <= c.last; ++j) {
                    double const weight = r.weight(i) * c.weight(j);
                    for (std::size_t k = 0; k < 3; ++k)
                        sum[k] += weight * picture.rgb[offset(picture, i, j) + k];
                }
            for (std::size_t k = 0; k < 3; ++k)
                out.rgb[offset(out, row, col) + k] = static_cast<std::uint8_t>(std::lround(sum[k]));
        }
    return out;
}

}  // namespace sluice::figure
