// The coefficients of a plane on their way to samples: two rows of macroblocks at a time.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jxr/plane.h"

#include <algorithm>

namespace sluice::codec::jxr {
namespace {

// Not a multiple of 4 kB, so that the 16 rows of a block are not all in the same cache lines.
index padded(index n) {
    return (n + 7) / 8 * 8 + 16;
}

Rows16 sample_rows(Blocks row) {
    Rows16 rows;
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) rows.at[4 * r + c] = row.at + sample_place[r][c] * row.stride;
    return rows;
}

Rows16 low_rows(Blocks row) {
    Rows16 rows;
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) rows.at[4 * r + c] = row.at + (4 * c + r) * row.stride;
    return rows;
}

}  // namespace

bool ends_above(Header const& header, index row) {
    return row == 0 || row == header.blocks_down ||
           (header.hard_tiles && std::ranges::binary_search(header.tiles_y, row));
}

Plane::Plane(Header const& header, PlaneHeader const& plane, Kernels const& kernels)
    : header_(&header), plane_(&plane), kernels_(&kernels) {
    for (int c = 1; c < plane.channels(); ++c) {
        channels_[c].across = plane.color == Color::yuv444 ? 4 : 2;
        channels_[c].down = plane.color == Color::yuv420 ? 2 : 4;
    }
    index size = 0;
    for (int c = 0; c < plane.channels(); ++c) {
        channels_[c].blocks.stride = padded(channels_[c].across * header.blocks_across);
        channels_[c].low.stride = padded(header.blocks_across);
        size += 32 * (channels_[c].down * channels_[c].blocks.stride + channels_[c].low.stride);
    }
    memory_ = std::make_unique<std::int32_t[]>(static_cast<std::size_t>(size));
    std::int32_t* at = memory_.get();
    for (int c = 0; c < plane.channels(); ++c) {
        channels_[c].blocks.at = at;
        at += 32 * channels_[c].down * channels_[c].blocks.stride;
        channels_[c].low.at = at;
        at += 32 * channels_[c].low.stride;
    }
}

void Plane::clear(index row) {
    for (int c = 0; c < channels(); ++c) {
        Channel const& channel = channels_[c];
        std::fill_n(channel.block_row(row * channel.down).at,
                    16 * channel.down * channel.blocks.stride, 0);
    }
}

void Plane::transform_low(index row) {
    Header const& h = *header_;
    for (int c = 0; c < channels(); ++c) {
        Channel const& channel = channels_[c];
        bool const full = channel.across == 4;
        bool const doubled = c > 0 && plane_->scaled;
        if (row < h.blocks_down) {
            if (full)
                kernels_->transform_low(channel.low_row(row), h.blocks_across, doubled);
            else
                transform_low_chroma(channel.low_row(row), h.blocks_across, channel.down, doubled);
        }
        if (h.overlap < 2) continue;
        if (!full) {
            filter_low_chroma(h, channel, row);
            continue;
        }
        Rows16 const here = low_rows(channel.low_row(row));
        Rows16 const above = low_rows(channel.low_row(row + 1));
        for_each_span(h, [&](index begin, index end) {
            if (!ends_above(h, row)) return kernels_->filter_between(above, here, begin, end, true);
            if (row > 0) kernels_->filter_edge(above, 2, begin, end);
            if (row < h.blocks_down) kernels_->filter_edge(here, 0, begin, end);
        });
    }
}

void Plane::transform(index row) {
    Header const& h = *header_;
    for (int c = 0; c < channels(); ++c) {
        Channel& channel = channels_[c];
        // The last blocks of a macroblock wait for the filter of the second stage.
        index const waiting = h.overlap < 2 || row == h.blocks_down ? 0
                              : channel.across == 4                 ? 2
                                                                    : 1;
        index const rows = std::min(row + 1, h.blocks_down) * channel.down - waiting;
        for (; channel.done < rows; ++channel.done) {
            transform_row(c, channel.done);
            filter_above(c, channel.done);
        }
        if (row == h.blocks_down) filter_last(c);
    }
}

void Plane::transform_row(int c, index row) {
    Channel const& channel = channels_[c];
    Blocks const out = channel.block_row(row);
    Blocks const low = channel.low_row(row / channel.down);
    index const r = row % channel.down;
    for (index column = 0; column < channel.across; ++column) {
        index const place = channel.across == 4 ? 4 * column + r : 2 * r + column;
        std::int32_t const* const from = low.at + place * low.stride;
        std::int32_t* const to = out.at + column;
        for (index x = 0; x < header_->blocks_across; ++x) to[x * channel.across] = from[x];
    }
    kernels_->transform(out, channel.across * header_->blocks_across);
}

void Plane::filter_above(int c, index row) {
    if (header_->overlap == 0) return;
    Channel const& channel = channels_[c];
    bool const ends = row % channel.down == 0 && ends_above(*header_, row / channel.down);
    Rows16 const here = sample_rows(channel.block_row(row));
    Rows16 const above = sample_rows(channel.block_row(row + 2 * channel.down - 1));
    for_each_span(*header_, [&](index begin, index end) {
        begin *= channel.across;
        end *= channel.across;
        if (!ends) return kernels_->filter_between(above, here, begin, end, false);
        if (row > 0) kernels_->filter_edge(above, 2, begin, end);
        kernels_->filter_edge(here, 0, begin, end);
    });
}

void Plane::filter_last(int c) {
    if (header_->overlap == 0) return;
    Channel const& channel = channels_[c];
    Rows16 const last = sample_rows(channel.block_row(header_->blocks_down * channel.down - 1));
    for_each_span(*header_, [&](index begin, index end) {
        kernels_->filter_edge(last, 2, channel.across * begin, channel.across * end);
    });
}

}  // namespace sluice::codec::jxr
