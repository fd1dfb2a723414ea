// Decodes a JPEG XR image row by row of macroblocks.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jxr/decoder.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::codec::jxr {

int index_bits(int quantisers) {
    return quantisers < 2 ? 0 : quantisers < 4 ? 1 : quantisers < 6 ? 2 : quantisers < 10 ? 3 : 4;
}

int read_quantiser(Bits& bits, int width) {
    bits.refill();
    return bits.take_bit() ? static_cast<int>(bits.take(width)) + 1 : 0;
}

PlaneReader::PlaneReader(Header const& header, PlaneHeader const& plane, Kernels const& kernels)
    : header_(&header),
      header_of_plane_(&plane),
      kernels_(&kernels),
      plane_(header, plane, kernels),
      tiles_(header.tiles_x.size() - 1),
      here_(static_cast<std::size_t>(header.blocks_across * plane.channels())),
      above_(here_.size()) {}

void PlaneReader::begin_tile(std::size_t column, int trimmed) {
    tiles_[column].context.begin(header_of_plane_->color);
    tiles_[column].context.trimmed = trimmed;
    tiles_[column].quantisers = plane_quantisers(*header_of_plane_);
}

void PlaneReader::read_quantisers(std::size_t column, Band band, Bits& bits) {
    read_tile_quantisers(*header_of_plane_, band, bits, tiles_[column].quantisers);
}

bool PlaneReader::damaged() const {
    return std::ranges::any_of(tiles_, [](PlaneTile const& t) { return t.context.damaged; });
}

// In spatial order both indices come first; else each comes with its band.
Status PlaneReader::read_indices(PlaneTile const& tile, int bands, Packets& packets,
                                 Macroblock& mb) {
    TileQuantisers const& q = tile.quantisers;
    mb.low_index = mb.high_index = 0;
    if (!header_->frequency) {
        if (bands > 1 && q.low_bits > 0) mb.low_index = read_quantiser(packets.band(0), q.low_bits);
        if (bands > 2 && q.high_bits > 0)
            mb.high_index = read_quantiser(packets.band(0), q.high_bits);
    }
    if (q.high_bits == 0 && q.high_count > 1) mb.high_index = mb.low_index;
    if (mb.low_index < q.low_count && mb.high_index < q.high_count) return {};
    return Error{Code::corrupt,
                 "JPEG XR macroblock with a quantiser that its tile does not have "
                 "fetch or export the file again"};
}

void PlaneReader::keep_low(TileQuantisers const& q, Macroblock const& mb, index row, index column) {
    for (int c = 0; c < header_of_plane_->channels(); ++c) {
        Channel const& channel = plane_.channel(c);
        Blocks const low = channel.low_row(row);
        auto const put = [&](int place, std::int32_t value, std::int32_t factor) {
            low.at[place * low.stride + column] = static_cast<std::int32_t>(
                static_cast<std::uint32_t>(value) * static_cast<std::uint32_t>(factor));
        };
        put(0, mb.low[c][0], q.dc[c]);
        bool const full = channel.across == 4;
        for (int k = 1; k < channel.across * channel.down; ++k)
            put(full ? low_place_of[k] : k, mb.low[c][k], q.low[mb.low_index][c]);
    }
}

Status PlaneReader::read_high(PlaneTile& tile, Position const& at, index row, index column,
                              int bands, Neighbours const* neighbours, Packets& packets,
                              Macroblock& mb) {
    Context& context = tile.context;
    TileQuantisers const& q = tile.quantisers;
    Bits& bits = packets.band(2);
    if (at.restarts) {
        restart(context.scan_across);
        restart(context.scan_down);
    }
    if (header_->frequency && q.high_bits > 0)
        mb.high_index = read_quantiser(bits, q.high_bits);
    else if (q.high_bits == 0 && q.high_count > 1)
        mb.high_index = mb.low_index;
    if (mb.high_index >= q.high_count)
        return Error{Code::corrupt,
                     "JPEG XR macroblock with a quantiser that its tile does not "
                     "have fetch or export the file again"};
    Color const color = header_of_plane_->color;
    kernels_->read_pattern(context, bits, color, mb);
    predict_pattern(color, at, neighbours, context.pattern, mb);
    HighPass job{&context, color, &mb, {}, {}, bands < 4};
    for (int c = 0; c < header_of_plane_->channels(); ++c) {
        Channel const& channel = plane_.channel(c);
        job.quantiser[c] = q.high[mb.high_index][c];
        job.out[c] = channel.block_row(row * channel.down);
        job.out[c].at += column * channel.across;
    }
    kernels_->read_high(job, bits, bands < 4 ? bits : packets.band(3));
    if (at.adapts) context.adapt_high();
    return {};
}

Status PlaneReader::read(std::size_t tile_column, Position const& at, index row, index column,
                         int bands, Packets& packets) {
    PlaneTile& tile = tiles_[tile_column];
    Color const color = header_of_plane_->color;
    Neighbours neighbours[3];
    for (int c = 0; c < header_of_plane_->channels(); ++c) {
        auto const i = static_cast<std::size_t>(c * header_->blocks_across + column);
        neighbours[c] = {&here_[i], &above_[i]};
    }
    Macroblock mb;
    SLUICE_CHECK(read_indices(tile, bands, packets, mb));
    kernels_->read_dc(tile.context, packets.band(0), color, mb);
    if (bands > 1) {
        if (header_->frequency && tile.quantisers.low_bits > 0) {
            mb.low_index = read_quantiser(packets.band(1), tile.quantisers.low_bits);
            if (mb.low_index >= tile.quantisers.low_count)
                return Error{Code::corrupt,
                             "JPEG XR macroblock with a quantiser that its tile "
                             "does not have fetch or export the file again"};
        }
        kernels_->read_low(tile.context, packets.band(1), color, at, mb);
    } else if (at.adapts) {
        tile.context.adapt_dc();
    }
    predict_low(color, at, neighbours, mb);
    keep_low(tile.quantisers, mb, row, column);
    if (bands > 2) SLUICE_CHECK(read_high(tile, at, row, column, bands, neighbours, packets, mb));
    remember(color, mb, neighbours);
    return {};
}

Result<Decoder> Decoder::open(Bytes codestream, int reduction, Kernels const& kernels) {
    Decoder d;
    d.codestream_ = codestream;
    SLUICE_TRY(Header header, read_header(codestream));
    d.header_ = std::make_unique<Header>(std::move(header));
    SLUICE_TRY(d.starts_, read_index(codestream, *d.header_));
    d.reduction_ = reduction;
    d.bands_ = d.header_->plane.bands;
    if (d.header_->frequency && reduction > 1) d.bands_ = std::min(d.bands_, reduction > 4 ? 1 : 2);
    if (d.header_->overlap == 2 && d.header_->plane.channels() == 3 &&
        d.header_->plane.color != Color::yuv444) {
        bool narrow = false;
        for_each_span(*d.header_, [&](index begin, index end) { narrow |= end - begin < 2; });
        if (narrow)
            return Error{Code::corrupt,
                         "JPEG XR image of a single macroblock's width with "
                         "subsampled chroma and overlap 2 (the standard does not "
                         "allow it) export the file again"};
    }
    d.color_.emplace(*d.header_, d.header_->plane, kernels);
    if (d.header_->alpha) d.alpha_.emplace(*d.header_, d.header_->alpha_plane, kernels);
    d.packets_.resize(d.header_->tiles_x.size() - 1);
    return d;
}

Status Decoder::begin_tile(std::size_t tile_row, std::size_t column) {
    Packets& packets = packets_[column];
    int trimmed = 0;
    SLUICE_CHECK(
        open_packets(codestream_, *header_, starts_, tile_row, column, bands_, packets, trimmed));
    color_->begin_tile(column, trimmed);
    if (alpha_) alpha_->begin_tile(column, trimmed);
    for (int band = 0; band < std::min(bands_, 3); ++band) {
        color_->read_quantisers(column, static_cast<Band>(band), packets.band(band));
        if (alpha_) alpha_->read_quantisers(column, static_cast<Band>(band), packets.band(band));
    }
    return {};
}

Status Decoder::read_row(index row) {
    auto const& ys = header_->tiles_y;
    auto const& xs = header_->tiles_x;
    bool const first = row == 0 || row == ys[tile_row_ + 1];
    if (row > 0 && first) ++tile_row_;
    color_->begin_row(row, reduction_ == 1);
    if (alpha_) alpha_->begin_row(row, reduction_ == 1);
    for (std::size_t t = 0; t + 1 < xs.size(); ++t) {
        if (first) SLUICE_CHECK(begin_tile(tile_row_, t));
        for (index x = xs[t]; x < xs[t + 1]; ++x) {
            bool const restarts = (x - xs[t]) % 16 == 0;
            Position const at = {x == xs[t], first, restarts, restarts || x + 1 == xs[t + 1]};
            SLUICE_CHECK(color_->read(t, at, row, x, bands_, packets_[t]));
            if (alpha_) SLUICE_CHECK(alpha_->read(t, at, row, x, bands_, packets_[t]));
        }
        for (Bits const& bits : packets_[t].bits)
            if (bits.overrun())
                return Error{Code::truncated, fmt::format("JPEG XR image ends in row {} of {} "
                                                          "macroblocks copy the file again",
                                                          row, header_->blocks_down)};
    }
    if (color_->damaged() || (alpha_ && alpha_->damaged()))
        return Error{Code::corrupt, fmt::format("JPEG XR coefficients beyond their block in row {} "
                                                "of macroblocks fetch or export the file again",
                                                row)};
    return {};
}

Status Decoder::step(index row) {
    if (row < header_->blocks_down) SLUICE_CHECK(read_row(row));
    for (auto* reader : {&color_, &alpha_}) {
        if (!*reader || reduction_ > 4) continue;
        (*reader)->plane().transform_low(row);
        if (reduction_ == 1) (*reader)->plane().transform(row);
    }
    return {};
}

}  // namespace sluice::codec::jxr
