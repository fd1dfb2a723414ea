// Means of the pixels of a level.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/mean.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/with_type.h"

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

// Which pixels of a row are the tile's own: valid, and not under a valid one of another.
void find_own(Placed const& tile, std::vector<Placed const*> const& above, Box const& part, index y,
              std::vector<char>& own) {
    for (index x = part.left; x < part.right; ++x)
        own[static_cast<std::size_t>(x - part.left)] = tile.valid(x, y);
    for (Placed const* const other : above) {
        if (y < other->box.top || y >= other->box.bottom) continue;
        index const end = std::min(part.right, other->box.right);
        for (index x = std::max(part.left, other->box.left); x < end; ++x)
            if (other->valid(x, y)) own[static_cast<std::size_t>(x - part.left)] = 0;
    }
}

double sample_of(DType type, std::byte const* at) {
    auto const as = [&](auto v) {
        std::memcpy(&v, at, sizeof v);
        return static_cast<double>(v);
    };
    if (type == DType::c64) return 0;
    return with_pixel_type(type, as);
}

}  // namespace

MeanTarget::MeanTarget(Plan const& plan, Shape const& shape, std::span<std::byte> out,
                       double background)
    : plan_(plan),
      rows_(plan.shape.height),
      cols_(plan.shape.width),
      shape_(shape),
      out_(out),
      format_(plan.format),
      partial_(plan.tiles.size()) {
    std::vector<Box> boxes;
    for (std::size_t job = 0; job < plan.tiles.size(); ++job) {
        if (!plan.tiles[job].mask) continue;
        masked_.push_back(job);
        boxes.push_back(plan.tiles[job].box);
    }
    if (!boxes.empty()) masked_boxes_ = RectIndex(std::move(boxes));
    if (plan.covered) return;
    for (index y = 0; y < shape.height; ++y)
        fill_row(format_, background, shape.width, out_.data() + y * shape.width * format_.bytes);
}

void MeanTarget::store(index pixel, index count, double const* sum) {
    std::byte* const to = out_.data() + pixel * format_.bytes;
    if (format_.sample == DType::c64) return;
    with_pixel_type(format_.sample,
                    [&]<class T>(T) { store_as<T>(sum, count, format_.samples, to); });
}

std::vector<Placed const*> MeanTarget::above(std::size_t job, Box const& part) const {
    std::vector<std::int32_t> hits;
    masked_boxes_.find(part, hits);
    std::vector<Placed const*> tiles;
    for (std::int32_t const i : hits)
        if (std::size_t const other = masked_[static_cast<std::size_t>(i)]; other > job)
            tiles.push_back(&plan_.tiles[other]);
    return tiles;
}

// A cell wholly inside of a part is finished, others wait for what else they cover.
void MeanTarget::add(std::size_t job, index cell_x, index cell_y, index count, double const* sum) {
    index const rows = edge_y(cell_y + 1) - edge_y(cell_y);
    index const cols = edge_x(cell_x + 1) - edge_x(cell_x);
    index const pixel = cell_y * shape_.width + cell_x;
    if (count == rows * cols) return store(pixel, count, sum);
    Partial p{pixel, count, {}};
    std::copy(sum, sum + format_.samples, p.sum);
    partial_[job].push_back(p);
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
    std::vector<Placed const*> const over = above(job, part);
    bool const all = over.empty() && !plan_.tiles[job].mask;
    std::vector<char> own(static_cast<std::size_t>(all ? 0 : width));
    index y = part.top;
    index cell_y = std::max<index>(0, y * shape_.height / rows_ - 1);
    while (edge_y(cell_y + 1) <= y) ++cell_y;
    for (; y < part.bottom; ++cell_y) {
        index const end = std::min(edge_y(cell_y + 1), part.bottom);
        std::fill(sums.begin(), sums.end(), 0.0);
        std::fill(counts.begin(), counts.end(), index{0});
        for (; y < end; ++y) {
            tile_row(tile, pixels, part, y, row.data());
            if (!all) find_own(plan_.tiles[job], over, part, y, own);
            for (index x = 0; x < width; ++x) {
                if (!all && !own[static_cast<std::size_t>(x)]) continue;
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
        for (index c = 0; c < cells; ++c)
            if (index const n = counts[static_cast<std::size_t>(c)]; n > 0)
                add(job, first_x + c, cell_y, n, sums.data() + c * samples);
    }
}

void MeanTarget::put(std::size_t job, Placed const& tile, Pixels const& pixels, Box const& part) {
    if (format_.sample == DType::c64) return;
    with_pixel_type(format_.sample, [&]<class T>(T) { put_as<T>(job, tile, pixels, part); });
}

void MeanTarget::fill(std::size_t job, Placed const& tile, double value, Box const& part) {
    std::byte pixel[32];
    fill_row(format_, value, 1, pixel);
    if (!plan_.masks) return fill_cells(job, pixel, part);
    // As a tile of one pixel, repeated.
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

// Cell by cell, since a damaged tile may claim to have any number of pixels.
void MeanTarget::fill_cells(std::size_t job, std::byte const* pixel, Box const& part) {
    double value[4] = {};
    for (int s = 0; s < format_.samples; ++s)
        value[s] = sample_of(format_.sample, pixel + s * size_of(format_.sample));
    auto const first = [](index at, index cells, index pixels, auto const& edge) {
        index c = at * cells / pixels;
        while (edge(c + 1) <= at) ++c;
        return c;
    };
    auto const x_edge = [this](index c) { return edge_x(c); };
    auto const y_edge = [this](index c) { return edge_y(c); };
    index const left = first(part.left, shape_.width, cols_, x_edge);
    for (index v = first(part.top, shape_.height, rows_, y_edge); edge_y(v) < part.bottom; ++v)
        for (index u = left; edge_x(u) < part.right; ++u) {
            Box const cell{edge_x(u), edge_y(v), edge_x(u + 1), edge_y(v + 1)};
            index const n = area(common(cell, part));
            double sum[4];
            for (int s = 0; s < 4; ++s) sum[s] = value[s] * static_cast<double>(n);
            add(job, u, v, n, sum);
        }
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
