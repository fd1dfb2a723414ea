// The kernels over lines once more, bit by bit: slow and obviously right.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <vector>

#include "device/per_isa.h"
#include "kernel/lines/cpu.h"
#include "kernel/planes/make_tile.h"

namespace sluice::lines {
namespace {

using planes::Grid;
using planes::Tile;
using planes::tile_frames;

std::uint64_t value_in(std::span<Tile const> tiles, index block, int bit, index frame) {
    auto const t = static_cast<std::size_t>(frame / tile_frames);
    if (t >= tiles.size()) return 0;
    Tile::Entry const e = tiles[t].entry(block);
    std::uint64_t v = 0;
    for (int p = 0; p < e.planes; ++p)
        v |= (tiles[t].words(e)[p * tile_frames + frame % tile_frames] >> bit & 1) << p;
    return v;
}

// All counts of a unit, [block * 64 + bit][frame].
std::vector<std::uint64_t> values_of(std::span<Tile const> tiles, Grid grid) {
    std::vector<std::uint64_t> v;
    for (index block = 0; block < grid.blocks(); ++block)
        for (int bit = 0; bit < 64; ++bit)
            for (index f = 0; f < unit_frames; ++f) v.push_back(value_in(tiles, block, bit, f));
    return v;
}

class Maker {
  public:
    Maker(std::span<Tile const> tiles, Grid grid, std::byte* out)
        : grid_(grid), values_(values_of(tiles, grid)), out_(out), at_(data_offset(grid)) {
        std::memset(out, 0, static_cast<std::size_t>(at_));
    }
    // Unlike the kernels it knows whether sums are that large.
    bool is_wide() const {
        for (index f = 0; f < unit_frames; ++f) {
            std::uint64_t sum = 0;
            for (std::size_t i = static_cast<std::size_t>(f); i < values_.size(); i += unit_frames)
                sum += values_[i];
            if (sum >> 32 != 0) return true;
        }
        return false;
    }
    index make() {
        if (std::uint32_t const wide = is_wide(); wide != 0)
            std::memcpy(out_, &wide, sizeof wide);
        else
            put_totals();
        for (index block = 0; block < grid_.blocks(); ++block) put_block(block);
        return at_;
    }

  private:
    std::uint64_t value(index block, int bit, index frame) const {
        return values_[static_cast<std::size_t>((block * 64 + bit) * unit_frames + frame)];
    }
    void put_totals() {
        auto* square =
            reinterpret_cast<std::uint32_t*>(out_ + Unit::squares_offset(grid_.blocks()));
        for (int level = 0; level < levels; ++level) {
            Squares const squares = Squares::of(grid_, level);
            for (index i = 0; i < squares.count(); ++i)
                *square++ = put_square(level, i / squares.cols, i % squares.cols);
        }
    }
    std::uint32_t put_square(int level, index row, index col) {
        std::uint64_t sums[unit_frames] = {};
        for (index block = 0; block < grid_.blocks(); ++block) {
            if (block / grid_.block_cols() >> level != row ||
                block % grid_.block_cols() >> level != col)
                continue;
            for (int bit = 0; bit < 64; ++bit)
                for (index f = 0; f < unit_frames; ++f) sums[f] += value(block, bit, f);
        }
        std::uint64_t const largest = *std::max_element(sums, sums + unit_frames);
        Width const width = largest == 0       ? Width::none
                            : largest < 16     ? Width::half
                            : largest < 256    ? Width::one
                            : largest < 65'536 ? Width::two
                                               : Width::four;
        auto const place =
            static_cast<std::uint32_t>(at_ / line_bytes) << 3 | static_cast<std::uint32_t>(width);
        std::byte* const to = out_ + at_;
        for (index f = 0; f < unit_frames; ++f) {
            if (width == Width::half)
                to[f % 256] = (f < 256 ? std::byte{0} : to[f % 256]) |
                              static_cast<std::byte>(sums[f] << (f < 256 ? 0 : 4));
            else
                std::memcpy(
                    to + f * width_bytes[static_cast<int>(width)] / unit_frames, &sums[f],
                    static_cast<std::size_t>(width_bytes[static_cast<int>(width)] / unit_frames));
        }
        at_ += width_bytes[static_cast<int>(width)];
        return place;
    }
    void put_block(index block) {
        std::uint64_t all = 0;
        for (int bit = 0; bit < 64; ++bit)
            for (index f = 0; f < unit_frames; ++f) all |= value(block, bit, f);
        Head head{};
        head.planes = static_cast<std::uint8_t>(std::bit_width(all));
        head.first = static_cast<std::uint32_t>(at_ / line_bytes);
        index const more = at_;
        std::memset(out_ + at_, 0,
                    static_cast<std::size_t>(Unit::more_maps(head.planes) * line_bytes));
        at_ += Unit::more_maps(head.planes) * line_bytes;
        for (int p = 0; p < head.planes; ++p) {
            std::uint64_t map = 0;
            for (int bit = 0; bit < 64; ++bit) map |= put_line(block, p, bit) << bit;
            if (p < Head::own_maps)
                head.map[p] = map;
            else
                std::memcpy(out_ + more + 8 * (p - Head::own_maps), &map, 8);
        }
        std::memcpy(out_ + line_bytes * (block + 1), &head, sizeof head);
    }
    std::uint64_t put_line(index block, int plane, int bit) {
        std::uint64_t line[line_words] = {}, all = 0;
        for (index f = 0; f < unit_frames; ++f)
            line[f / 64] |= (value(block, bit, f) >> plane & 1) << f % 64;
        for (std::uint64_t const word : line) all |= word;
        if (all == 0) return 0;
        std::memcpy(out_ + at_, line, sizeof line);
        at_ += line_bytes;
        return 1;
    }

    Grid grid_;
    std::vector<std::uint64_t> values_;
    std::byte* out_;
    index at_;
};

index make(std::span<Tile const> tiles, Grid grid, std::byte* out) {
    return Maker(tiles, grid, out).make();
}

void count(std::span<Unit const> units, LineMask const& mask, std::uint64_t (*out)[unit_frames]) {
    for (std::size_t u = 0; u < units.size(); ++u) count_plainly(units[u], mask, out[u]);
}

// Calls act(block, pixel, plane, line) for all lines of a unit.
template <class F>
void each_line_of(Unit unit, F&& act) {
    for (index block = 0; block < unit.grid.blocks(); ++block) {
        Head const& head = unit.head(block);
        std::uint64_t const* line = unit.lines(head);
        for (int p = 0; p < head.planes; ++p)
            for (int bit = 0; bit < 64; ++bit) {
                if (!(unit.map(head, p) >> bit & 1)) continue;
                act(block, bit, p, line);
                line += line_words;
            }
    }
}

// By way of rows of bits, from which tiles are made.
void turn_back(Unit unit, index first, index count, std::uint8_t const* need, std::byte* const* out,
               index* bytes) {
    Grid const grid = unit.grid;
    constexpr index most_planes = 32;
    index const plane = planes::FrameRows::plane_bytes(grid) + 64, frame = plane * most_planes;
    std::vector<std::byte> rows(static_cast<std::size_t>(frame * tile_frames));
    std::vector<std::uint8_t> planes_of_row(static_cast<std::size_t>(grid.block_rows()));
    for (index b = 0; b < grid.blocks(); ++b) {
        auto& most = planes_of_row[static_cast<std::size_t>(b / grid.block_cols())];
        most = std::max(most, unit.head(b).planes);
    }
    for (index t = 0; t < count; ++t) {
        std::ranges::fill(rows, std::byte{0});
        each_line_of(unit, [&](index block, int bit, int p, std::uint64_t const* line) {
            index const row = block / grid.block_cols() * planes::block_edge + bit / 8;
            index const at = p * plane + row * grid.block_cols() + block % grid.block_cols();
            for (index f = 0; f < tile_frames; ++f) {
                index const of_unit = (first + t) * tile_frames + f;
                auto const one = static_cast<unsigned>(line[of_unit / 64] >> of_unit % 64 & 1);
                rows[static_cast<std::size_t>(f * frame + at)] |=
                    static_cast<std::byte>(one << bit % 8);
            }
        });
        bytes[t] = planes::tile_making(Isa::baseline)
                       .seal({rows.data(), frame, plane}, grid, planes_of_row.data(), need, false,
                             out[t], nullptr);
    }
}

void read_rows(Unit unit, index frame, index row, index rows, double* out) {
    Grid const grid = unit.grid;
    index const first = row * planes::block_edge;
    index const last = std::min(grid.rows, (row + rows) * planes::block_edge);
    std::fill(out + first * grid.cols, out + last * grid.cols, 0.0);
    each_line_of(unit, [&](index block, int bit, int p, std::uint64_t const* line) {
        index const r = block / grid.block_cols() * planes::block_edge + bit / 8;
        index const c = block % grid.block_cols() * planes::block_edge + bit % 8;
        if (r < first || r >= last || c >= grid.cols) return;
        if (line[frame / 64] >> frame % 64 & 1)
            out[r * grid.cols + c] += static_cast<double>(std::uint64_t{1} << p);
    });
}

void moments(std::span<Unit const> units, std::span<planes::MaskWord const> mask,
             planes::Moment (*out)[unit_frames]) {
    for (std::size_t u = 0; u < units.size(); ++u) moments_plainly(units[u], mask, out[u]);
}

void add_frames(Unit unit, std::uint64_t const* chosen, std::uint64_t* sums) {
    each_line_of(unit, [&](index block, int bit, int p, std::uint64_t const* line) {
        for (index f = 0; f < unit_frames; ++f)
            if (chosen[f / 64] >> f % 64 & 1)
                sums[block * 64 + bit] += (line[f / 64] >> f % 64 & 1) << p;
    });
}

constexpr CpuKernels plain{make, count, moments, add_frames, turn_back, read_rows};

}  // namespace

void count_plainly(Unit unit, LineMask const& mask, std::uint64_t* out) {
    std::fill_n(out, unit_frames, std::uint64_t{0});
    for (auto const* const words : {&mask.words, &mask.less})
        for (planes::MaskWord const& w : *words) {
            Head const& head = unit.head(w.block);
            std::uint64_t const* line = unit.lines(head);
            for (int p = 0; p < head.planes; ++p)
                for (int bit = 0; bit < 64; ++bit) {
                    if (!(unit.map(head, p) >> bit & 1)) continue;
                    for (index f = 0; f < unit_frames && (w.bits >> bit & 1); ++f) {
                        std::uint64_t const counts = (line[f / 64] >> f % 64 & 1) << p;
                        out[f] += words == &mask.words ? counts : 0 - counts;
                    }
                    line += line_words;
                }
        }
}

void moments_plainly(Unit unit, std::span<planes::MaskWord const> mask, planes::Moment* out) {
    std::fill_n(out, unit_frames, planes::Moment{0, 0, 0});
    std::vector<std::uint64_t> bits(static_cast<std::size_t>(unit.grid.blocks()));
    for (planes::MaskWord const& w : mask) bits[w.block] = w.bits;
    index const cols = unit.grid.block_cols();
    each_line_of(unit, [&](index block, int bit, int p, std::uint64_t const* line) {
        if (!(bits[static_cast<std::size_t>(block)] >> bit & 1)) return;
        auto const row = static_cast<std::uint64_t>(block / cols * planes::block_edge + bit / 8);
        auto const col = static_cast<std::uint64_t>(block % cols * planes::block_edge + bit % 8);
        for (index f = 0; f < unit_frames; ++f) {
            std::uint64_t const counts = (line[f / 64] >> f % 64 & 1) << p;
            out[f].sum += counts, out[f].row += row * counts, out[f].col += col * counts;
        }
    });
}

CpuKernels const& kernels_for(Device const& device) {
    return table_for(device, plain, cpu_kernels);
}

}  // namespace sluice::lines
