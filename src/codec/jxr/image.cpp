// Pixels out of the planes of a JPEG XR image.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jxr/image.h"

#include <algorithm>
#include <cstring>

namespace sluice::codec::jxr {
namespace {

using std::int32_t;
using std::uint32_t;

constexpr int scale_bits = 3;

// What is added before the shift: half of the range for unsigned samples, and rounding.
int32_t bias_of(Depth depth, bool scaled, int shift) {
    if (depth == Depth::bit8) return scaled ? (128 << scale_bits) + 3 : 128;
    if (depth == Depth::bit16)
        return scaled ? ((32768 >> shift) << scale_bits) + 4 : 32768 >> shift;
    return scaled ? 3 : 0;
}

// Interleaved alpha is rounded differently from everything else.
int32_t bias_of_interleaved(Depth depth, bool scaled) {
    int32_t const middle = depth == Depth::bit8 ? 128 : depth == Depth::bit16 ? 32768 : 0;
    return scaled ? (middle << scale_bits) + 4 : middle;
}

// Rows of `work_` for columns of luma, two chroma and alpha, and for what they are made of.
constexpr index work_rows = 24;

}  // namespace

Painter::Painter(Container const& container, JxrOptions const& options, Decoder const& image,
                 Decoder const* alpha, Kernels const& kernels, std::span<std::byte> out)
    : reduction_(options.reduction), image_(&image), kernels_(&kernels), out_(out) {
    Header const& h = image.header();
    JxrInfo const& info = container.info;
    if (info.alpha) alpha_ = alpha != nullptr ? &alpha->color() : image.alpha();
    PlaneHeader const& own_alpha = alpha != nullptr ? alpha->header().plane : h.alpha_plane;
    channels_ = info.samples == 1 ? 1 : h.plane.channels();
    scaled_ = h.plane.scaled;
    alpha_scaled_ = alpha != nullptr ? own_alpha.scaled : h.plane.scaled;
    Depth const depth = container.depth;
    how_ = {static_cast<int>(depth),
            channels_,
            info.samples,
            options.rgb,
            bias_of(depth, scaled_, h.plane.shift),
            scaled_ ? scale_bits : 0,
            h.plane.shift,
            h.plane.exponent_bias,
            alpha != nullptr ? bias_of(depth, alpha_scaled_, own_alpha.shift)
                             : bias_of_interleaved(depth, alpha_scaled_),
            alpha_scaled_ ? scale_bits : 0,
            own_alpha.shift,
            own_alpha.exponent_bias};
    width_ = (h.width + reduction_ - 1) / reduction_;
    height_ = (h.height + reduction_ - 1) / reduction_;
    pixel_bytes_ = info.samples * size_of(info.sample);
    index const blocks = (4 * h.blocks_across + 7) / 8 * 8 + 16;
    row_.resize(static_cast<std::size_t>(4 * blocks * pixel_bytes_));
    work_.resize(static_cast<std::size_t>(work_rows * blocks));
}

void Painter::paint(index row) {
    if (reduction_ == 1)
        paint_full(row);
    else
        paint_reduced(row);
}

void Painter::paint_row(Columns const* in, index left, index y) {
    std::byte* const to = out_.data() + y * width_ * pixel_bytes_;
    // Whole groups of 8 blocks go straight to their place.
    index const straight = left == 0 ? width_ / 32 * 8 : 0;
    if (straight > 0) kernels_->write(how_, in, straight, to);
    index const rest = width_ - 4 * straight;
    if (rest == 0) return;
    Columns shifted[4];
    for (int c = 0; c < (alpha_ != nullptr ? 4 : channels_); ++c)
        for (int i = 0; i < 4; ++i) shifted[c].at[i] = in[c].at[i] + straight;
    index const blocks = ((left + rest + 3) / 4 + 7) / 8 * 8;
    kernels_->write(how_, shifted, blocks, row_.data());
    std::memcpy(to + 4 * straight * pixel_bytes_, row_.data() + left * pixel_bytes_,
                static_cast<std::size_t>(rest * pixel_bytes_));
}

namespace {

Columns columns_of(Channel const& channel, index y) {
    Blocks const row = channel.block_row(y / 4);
    Columns columns;
    for (int c = 0; c < 4; ++c) columns.at[c] = row.at + sample_place[y % 4][c] * row.stride;
    return columns;
}

}  // namespace

void Painter::paint_full(index row) {
    Header const& h = image_->header();
    Plane const& color = image_->color();
    index const stride = static_cast<index>(work_.size()) / work_rows;
    for (index y = std::max(16 * row, h.top); y < std::min(16 * row + 16, h.top + h.height); ++y) {
        Columns in[4];
        for (int c = 0; c < channels_; ++c)
            in[c] = c == 0 || h.plane.color == Color::yuv444
                        ? columns_of(color.channel(c), y)
                        : upsampled(color.channel(c), h.plane.color, y, 4 * h.blocks_across,
                                    8 * h.blocks_down, work_.data() + 8 * c * stride, stride);
        if (alpha_ != nullptr) in[3] = columns_of(alpha_->channel(0), y);
        paint_row(in, h.left, y - h.top);
    }
}

namespace {

// The sum may wrap around for damaged files.
int32_t mean(int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b) + 1) >> 1;
}

// Samples 2b and 2b + 1 of a row of chroma to even[b] and odd[b].
void split_chroma(Channel const& channel, index y, index blocks, int32_t* even, int32_t* odd) {
    Columns const from = columns_of(channel, y);
    for (index b = 0; b < blocks; ++b) {
        even[2 * b] = from.at[0][b];
        odd[2 * b] = from.at[1][b];
        even[2 * b + 1] = from.at[2][b];
        odd[2 * b + 1] = from.at[3][b];
    }
}

}  // namespace

Columns upsampled(Channel const& channel, Color color, index y, index luma_blocks, index end_row,
                  int32_t* work, index stride) {
    int32_t* const even = work;
    int32_t* const odd = work + 2 * stride;
    if (color == Color::yuv422) {
        split_chroma(channel, y, luma_blocks / 2, even, odd);
    } else {
        split_chroma(channel, y / 2, luma_blocks / 2, even, odd);
        if (y % 2 == 1 && y / 2 + 1 < end_row) {
            int32_t* const next_even = work + 4 * stride;
            int32_t* const next_odd = work + 5 * stride;
            split_chroma(channel, y / 2 + 1, luma_blocks / 2, next_even, next_odd);
            for (index b = 0; b < luma_blocks; ++b) even[b] = mean(even[b], next_even[b]);
            for (index b = 0; b < luma_blocks; ++b) odd[b] = mean(odd[b], next_odd[b]);
        }
    }
    // The last sample stands for the one after it, too.
    even[luma_blocks] = odd[luma_blocks - 1];
    int32_t* const first = work + stride;
    int32_t* const second = work + 3 * stride;
    for (index b = 0; b < luma_blocks; ++b) first[b] = mean(even[b], odd[b]);
    for (index b = 0; b < luma_blocks; ++b) second[b] = mean(odd[b], even[b + 1]);
    return {{even, first, odd, second}};
}

void Painter::paint_reduced(index row) {
    Header const& h = image_->header();
    index const stride = static_cast<index>(work_.size()) / work_rows;
    index const rows = reduction_ == 4 ? 4 : 1;
    index const top = (h.top + reduction_ - 1) / reduction_;
    index const left = (h.left + reduction_ - 1) / reduction_;
    index const columns = rows * h.blocks_across;
    Conversion const full = how_;
    how_.bias = how_.alpha_bias = how_.down = how_.alpha_down = 0;
    for (index r = rows * row; r < rows * (row + 1); ++r) {
        Columns in[4];
        int32_t* const line = work_.data() + 20 * stride;
        for (int c = 0; c < 4; ++c) {
            bool const is_alpha = c == 3;
            if (is_alpha ? alpha_ == nullptr : c >= channels_) continue;
            Plane const& plane = is_alpha ? *alpha_ : image_->color();
            bool const scaled = is_alpha ? alpha_scaled_ : scaled_;
            ReducedScale const s = reduced_scale(reduction_, h.overlap, scaled,
                                                 is_alpha ? Color::gray : h.plane.color);
            reduced_row(h, plane, is_alpha ? 0 : c, reduction_, r, line);
            int const shift = c == 1 || c == 2 ? s.chroma_shift : s.luma_shift;
            int const up = is_alpha ? how_.alpha_up : how_.up;
            int32_t const middle = how_.depth == static_cast<int>(Depth::bit8) ? 128
                                   : how_.depth != static_cast<int>(Depth::bit16)
                                       ? 0
                                       : 32768 >> (channels_ == 3 && !is_alpha ? up : 0);
            auto const offset =
                static_cast<uint32_t>(c == 1 || c == 2 ? 0 : (middle << s.luma_shift) / s.factor);
            for (index x = 0; x < columns; ++x) {
                uint32_t v =
                    (static_cast<uint32_t>(line[x]) + offset) * static_cast<uint32_t>(s.factor);
                // The red difference is rounded as the negative that it is used as.
                if (c == 1) v = 0U - v;
                auto const down = static_cast<uint32_t>(static_cast<int32_t>(v) >> shift);
                work_[static_cast<std::size_t>((4 * c + x % 4) * stride + x / 4)] =
                    static_cast<int32_t>(c == 1 ? 0U - down : down);
            }
            for (int i = 0; i < 4; ++i) in[c].at[i] = work_.data() + (4 * c + i) * stride;
        }
        index const y = r - top;
        if (y >= 0 && y < height_) paint_row(in, std::min(left, 4 * stride - 64 - width_), y);
    }
    how_ = full;
}

}  // namespace sluice::codec::jxr
