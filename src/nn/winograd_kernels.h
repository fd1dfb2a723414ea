// What Winograd's convolution does with a block of tiles, for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "nn/activation.h"
#include "nn/normalise_kernels.h"

namespace sluice::nn {

/// A tile is 4 by 4 pixels of the result, made of 6 by 6 of the image; 36 places in its transform.
inline constexpr index tile_side = 4, tile_image = 6, tile_places = 36;
/// Channels of the image that are activated and transformed at a time; so long are the runs that
/// are read from memory.
inline constexpr index chunk_channels = 128;

/// Weights lie as [out / weights_across][in][9][weights_across], so that those of a panel, of which
/// weights_across is a multiple, are read one after the other. That of the channels `out` and `i`
/// and of pixel k:
inline constexpr index weights_across = 32;
inline constexpr index weight_at(index in, index out, index i, index k) {
    return ((out / weights_across * in + i) * 9 + k) * weights_across + out % weights_across;
}

/// Some tiles of an image, in rows.
struct TileBlock {
    index height, width;  ///< of the image, in pixels
    index top, left;      ///< the first pixel of the first tile
    index down, across;   ///< tiles; the last ones may stick out

    index tiles() const { return down * across; }
};

/// Numbers by place, tile and channel: those of a tile's place lie side by side.
struct Places {
    float* data;
    index place, tile;  ///< floats from one to the next
};

template <class T>
using ImageKernel = void (*)(Rows<T const> x, index first, index n, float const* scale,
                             float const* shift, Activation activation, TileBlock const& block,
                             float* patch, Places to);
template <class T>
using ResultKernel = void (*)(Places products, TileBlock const& block, index n, bool adds,
                              Rows<T> y, Tally tally);

struct WinogradKernels {
    index panel;  ///< channels of the result that multiply() makes at a time

    /// [in][9][weights_across] of `from`, a panel of it, as [36][in][panel] with `place` floats
    /// from place to place.
    void (*weights)(float const* from, index in, index place, float* to);
    /// act(x * scale + shift) of n <= chunk_channels channels from `first` on, zero outside of the
    /// image; transformed. `patch` has room for the block's pixels, a margin of one pixel at each
    /// side, and chunk_channels of each.
    ImageKernel<float> image_f32;
    ImageKernel<Bf16> image_bf16;
    /// products[place][tile][panel] = image[place][tile][n] * weights[place][n][panel], or += that.
    /// Weights of neighbouring places are `place` floats apart.
    void (*multiply)(Places image, index n, index tiles, float const* weights, index place,
                     bool adds, Places products);
    /// y of n <= panel channels, to which it adds or not; and its tally, unless `mean` is null.
    ResultKernel<float> result_f32;
    ResultKernel<Bf16> result_bf16;

    template <class T>
    ImageKernel<T> image() const {
        if constexpr (std::is_same_v<T, float>)
            return image_f32;
        else
            return image_bf16;
    }
    template <class T>
    ResultKernel<T> result() const {
        if constexpr (std::is_same_v<T, float>)
            return result_f32;
        else
            return result_bf16;
    }
};

WinogradKernels const& winograd_kernels(Isa isa);

namespace baseline {
WinogradKernels winograd_kernels();
}
namespace avx2 {
WinogradKernels winograd_kernels();
}
namespace avx512 {
WinogradKernels winograd_kernels();
}

}  // namespace sluice::nn
