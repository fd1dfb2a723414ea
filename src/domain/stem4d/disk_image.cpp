// Repairs, smooths and halves patterns.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/disk_image.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sluice::stem4d {
namespace {

bool is_bad(std::span<std::uint8_t const> bad, index pixel) {
    return !bad.empty() && bad[static_cast<std::size_t>(pixel)] != 0;
}

// Good pixels around (r, c), of the nearest ring of pixels that has any.
void gather(Image const& image, std::span<std::uint8_t const> bad, index r, index c,
            std::vector<double>& around) {
    around.clear();
    index const farthest = std::max(image.rows, image.cols);
    for (index reach = 1; around.empty() && reach < farthest; ++reach)
        for (index y = std::max<index>(0, r - reach); y <= std::min(image.rows - 1, r + reach); ++y)
            for (index x = std::max<index>(0, c - reach); x <= std::min(image.cols - 1, c + reach);
                 ++x)
                if ((y != r || x != c) && !is_bad(bad, y * image.cols + x))
                    around.push_back(image.at(y, x));
}

// What one count adds. Neighbours differ by sqrt(grain * their sum), but for edges, which are few.
double grain_of(Image const& in, std::span<std::uint8_t const> bad) {
    std::vector<double> ratios;
    double least = 0;
    for (index r = 0; r < in.rows; ++r)
        for (index c = 0; c < in.cols; ++c) {
            index const pixel = r * in.cols + c;
            double const a = in.at(r, c);
            if (is_bad(bad, pixel)) continue;
            if (a > 0 && (least == 0 || a < least)) least = a;
            if (c + 1 == in.cols || is_bad(bad, pixel + 1)) continue;
            double const b = in.at(r, c + 1);
            if (a + b > 0) ratios.push_back((a - b) * (a - b) / (a + b));
        }
    // The median of normal squares is 0.455 of their mean.
    double const grain = quantile(std::move(ratios), 0.5) / 0.455;
    // Of sparse counts, whose squares are not normal, it is the least that there is.
    return grain >= least && grain <= 3 * least ? least : grain;
}

}  // namespace

Image repaired(Array<double> const& pattern, std::span<std::uint8_t const> marked) {
    Image in{pattern.shape[0], pattern.shape[1], pattern.values};
    // Pixels that were not measured count as bad, also as neighbours.
    std::vector<std::uint8_t> bad(marked.begin(), marked.end());
    bad.resize(in.v.size());
    for (std::size_t i = 0; i < bad.size(); ++i) bad[i] |= !std::isfinite(in.v[i]);
    in.grain = grain_of(in, bad);
    Image out = in;
    std::vector<double> around;
    for (index r = 0; r < in.rows; ++r)
        for (index c = 0; c < in.cols; ++c) {
            double const v = in.at(r, c);
            bool const broken = is_bad(bad, r * in.cols + c);
            if (!broken && v <= 0) continue;
            gather(in, bad, r, c, around);
            if (around.empty()) continue;
            // A disk's pixels have three neighbours as bright as themselves; hot ones do not.
            std::size_t const third = std::min<std::size_t>(2, around.size() - 1);
            std::ranges::nth_element(around, around.begin() + static_cast<index>(third),
                                     std::greater<>{});
            double const next = around[third];
            bool const noise =
                v - next < 5 * std::sqrt(in.grain * (std::max(next, 0.0) + in.grain));
            if (broken || (v > 3 * next && !noise)) out.at(r, c) = quantile(around, 0.5);
        }
    for (double& v : out.v)
        if (!std::isfinite(v)) v = 0;
    return out;
}

Image smoothed(Image const& in, index reach) {
    if (reach < 1) return in;
    Image across = in, out = in;
    std::vector<double> before(static_cast<std::size_t>(in.cols) + 1);
    for (index r = 0; r < in.rows; ++r) {
        for (index c = 0; c < in.cols; ++c)
            before[static_cast<std::size_t>(c) + 1] =
                before[static_cast<std::size_t>(c)] + in.at(r, c);
        for (index c = 0; c < in.cols; ++c) {
            index const first = std::max<index>(0, c - reach),
                        end = std::min(in.cols, c + reach + 1);
            across.at(r, c) =
                (before[static_cast<std::size_t>(end)] - before[static_cast<std::size_t>(first)]) /
                static_cast<double>(end - first);
        }
    }
    // Down the columns all at once, as memory lies.
    std::vector<double> sum(static_cast<std::size_t>(in.cols));
    auto const add = [&](index r, double sign) {
        for (index c = 0; c < in.cols; ++c)
            sum[static_cast<std::size_t>(c)] += sign * across.at(r, c);
    };
    for (index r = 0; r < std::min(reach, in.rows); ++r) add(r, 1);
    for (index r = 0; r < in.rows; ++r) {
        if (r + reach < in.rows) add(r + reach, 1);
        if (r - reach - 1 >= 0) add(r - reach - 1, -1);
        auto const n =
            static_cast<double>(std::min(in.rows, r + reach + 1) - std::max<index>(0, r - reach));
        for (index c = 0; c < in.cols; ++c) out.at(r, c) = sum[static_cast<std::size_t>(c)] / n;
    }
    return out;
}

Image halved(Image const& in) {
    Image out{(in.rows + 1) / 2, (in.cols + 1) / 2, {}, in.grain / 4};
    out.v.reserve(static_cast<std::size_t>(out.rows * out.cols));
    for (index r = 0; r < in.rows; r += 2)
        for (index c = 0; c < in.cols; c += 2) {
            index const below = std::min(r + 1, in.rows - 1), right = std::min(c + 1, in.cols - 1);
            out.v.push_back(
                (in.at(r, c) + in.at(r, right) + in.at(below, c) + in.at(below, right)) / 4);
        }
    return out;
}

double bilinear(Image const& image, double row, double col) {
    index const r = std::min(static_cast<index>(row), std::max<index>(0, image.rows - 2));
    index const c = std::min(static_cast<index>(col), std::max<index>(0, image.cols - 2));
    index const below = std::min(r + 1, image.rows - 1), right = std::min(c + 1, image.cols - 1);
    double const a = row - static_cast<double>(r), b = col - static_cast<double>(c);
    return (1 - a) * ((1 - b) * image.at(r, c) + b * image.at(r, right)) +
           a * ((1 - b) * image.at(below, c) + b * image.at(below, right));
}

double quantile(std::vector<double> values, double part) {
    if (values.empty()) return 0;
    auto const at =
        values.begin() + static_cast<index>(part * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, at);
    return *at;
}

}  // namespace sluice::stem4d
