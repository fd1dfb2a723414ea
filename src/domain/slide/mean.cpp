// Means of the pixels of a level.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/mean.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sluice::slide {
namespace {

template <class T>
void store_as(double const* sum, index count, int samples, std::byte* to) {
    for (int s = 0; s < samples; ++s) {
        double const mean = sum[s] / static_cast<double>(count);
        // Whole numbers are rounded half up.
        T const v =
            std::is_integral_v<T> ? static_cast<T>(std::floor(mean + 0.5)) : static_cast<T>(mean);
        std::memcpy(to + s * static_cast<int>(sizeof v), &v, sizeof v);
    }
}

}  // namespace

MeanTarget::MeanTarget(Plan const& plan, Shape const& shape, std::span<std::byte> out,
                       double background)
    : rows_(plan.shape.height),
      cols_(plan.shape.width),
      shape_(shape),
      out_(out),
      format_(plan.format),
      partial_(plan.tiles.size()) {
    if (plan.covered) return;
    for (index y = 0; y < shape.height; ++y)
        fill_row(format_, background, shape.width, out_.data() + y * shape.width * format_.bytes);
}

void MeanTarget::store(index pixel, index count, double const* sum) {
    std::byte* const to = out_.data() + pixel * format_.bytes;
    switch (format_.sample) {
        case czi::Sample::u8:
            return store_as<std::uint8_t>(sum, count, format_.samples, to);
        case czi::Sample::u16:
            return store_as<std::uint16_t>(sum, count, format_.samples, to);
        case czi::Sample::i32:
            return store_as<std::int32_t>(sum, count, format_.samples, to);
        case czi::Sample::f32:
            return store_as<float>(sum, count, format_.samples, to);
        case czi::Sample::f64:
            return store_as<double>(sum, count, format_.samples, to);
        case czi::Sample::c64:
            return;
    }
}

template <class T>
void MeanTarget::put_as(std::size_t job, Placed const& tile, Pixels const& pixels,
                        Box const& part) {
    int const samples = format_.samples;
    index const first_x = part.left * shape_.width / cols_;
    index const width = part.right - part.left;
    index const cells = std::min(shape_.width, (part.right * shape_.width) / cols_ + 2) - first_x;
    std::vector<double> sums(static_cast<std::size_t>(cells * samples));
    std::vector<index> counts(static_cast<std::size_t>(cells));
    std::vector<std::int32_t> cell(static_cast<std::size_t>(width));
    // Which cell each column belongs to; edges are floors, so a guess is at most a few off.
    for (index x = 0, c = first_x; x < width; ++x) {
        while (c > 0 && edge_x(c) > part.left + x) --c;
        while (edge_x(c + 1) <= part.left + x) ++c;
        cell[static_cast<std::size_t>(x)] = static_cast<std::int32_t>(c - first_x);
    }
    std::vector<std::byte> row(static_cast<std::size_t>(width * format_.bytes));
    index y = part.top;
    index cell_y = std::max<index>(0, y * shape_.height / rows_ - 1);
    while (edge_y(cell_y + 1) <= y) ++cell_y;
    for (; y < part.bottom; ++cell_y) {
        index const end = std::min(edge_y(cell_y + 1), part.bottom);
        std::fill(sums.begin(), sums.end(), 0.0);
        std::fill(counts.begin(), counts.end(), index{0});
        for (; y < end; ++y) {
            tile_row(tile, pixels, part, y, row.data());
            for (index x = 0; x < width; ++x) {
                auto const c = static_cast<std::size_t>(cell[static_cast<std::size_t>(x)]);
                ++counts[c];
                for (int s = 0; s < samples; ++s) {
                    T v;
                    std::memcpy(&v, row.data() + (x * samples + s) * index{sizeof v}, sizeof v);
                    sums[c * static_cast<std::size_t>(samples) + static_cast<std::size_t>(s)] +=
                        static_cast<double>(v);
                }
            }
        }
        index const rows_of_cell = edge_y(cell_y + 1) - edge_y(cell_y);
        for (index c = 0; c < cells; ++c) {
            index const n = counts[static_cast<std::size_t>(c)];
            if (n == 0) continue;
            index const whole = rows_of_cell * (edge_x(first_x + c + 1) - edge_x(first_x + c));
            index const pixel = cell_y * shape_.width + first_x + c;
            double const* const sum = sums.data() + c * samples;
            if (n == whole) {
                store(pixel, n, sum);
                continue;
            }
            Partial p{pixel, n, {}};
            std::copy(sum, sum + samples, p.sum);
            partial_[job].push_back(p);
        }
    }
}

void MeanTarget::put(std::size_t job, Placed const& tile, Pixels const& pixels, Box const& part) {
    switch (format_.sample) {
        case czi::Sample::u8:
            return put_as<std::uint8_t>(job, tile, pixels, part);
        case czi::Sample::u16:
            return put_as<std::uint16_t>(job, tile, pixels, part);
        case czi::Sample::i32:
            return put_as<std::int32_t>(job, tile, pixels, part);
        case czi::Sample::f32:
            return put_as<float>(job, tile, pixels, part);
        case czi::Sample::f64:
            return put_as<double>(job, tile, pixels, part);
        case czi::Sample::c64:
            return;
    }
}

void MeanTarget::fill(std::size_t job, Placed const& tile, double value, Box const& part) {
    // As a tile of one pixel, repeated.
    std::byte pixel[32];
    fill_row(format_, value, 1, pixel);
    Placed same = {};
    same.box = tile.box;
    same.width = same.height = 1;
    Pixels p;
    p.bytes = {pixel, static_cast<std::size_t>(format_.bytes)};
    p.width = p.height = 1;
    p.pixel_stride = p.row_stride = format_.bytes;
    p.format = format_;
    put(job, same, p, part);
}

void MeanTarget::finish() {
    std::vector<Partial> all;
    for (auto const& list : partial_) all.insert(all.end(), list.begin(), list.end());
    std::stable_sort(all.begin(), all.end(),
                     [](Partial const& a, Partial const& b) { return a.pixel < b.pixel; });
    for (std::size_t i = 0; i < all.size();) {
        Partial p = all[i];
        for (++i; i < all.size() && all[i].pixel == p.pixel; ++i) {
            p.count += all[i].count;
            for (int s = 0; s < format_.samples; ++s) p.sum[s] += all[i].sum[s];
        }
        store(p.pixel, p.count, p.sum);
    }
}

}  // namespace sluice::slide
