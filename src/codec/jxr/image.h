// Pixels out of the planes of a JPEG XR image.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/jxr/container.h"
#include "codec/jxr/decoder.h"

namespace sluice::codec::jxr {

/// Writes the pixels of a row of macroblocks once they are final.
class Painter {
  public:
    /// `alpha` is the separate image of alpha, or nullptr.
    Painter(Container const& container, JxrOptions const& options, Decoder const& image,
            Decoder const* alpha, Kernels const& kernels, std::span<std::byte> out);

    void paint(index row);

  private:
    void paint_full(index row);
    void paint_reduced(index row);
    /// Row y of the output, which begins with column `left` of `in`.
    void paint_row(Columns const* in, index left, index y);

    int reduction_;
    Decoder const* image_;
    Kernels const* kernels_;
    Plane const* alpha_ = nullptr;
    int channels_;  ///< of colour that are looked at
    Conversion how_;
    bool scaled_, alpha_scaled_;
    std::span<std::byte> out_;
    index width_, height_, pixel_bytes_;
    std::vector<std::byte> row_;      ///< padded to whole groups of blocks
    std::vector<std::int32_t> work_;  ///< rows of numbers that are not in a plane as they are
};

/// Eight rows of chroma in `work`, each with room for the blocks of luma and one more: makes four
/// of them the chroma of luma row y, by column in a block.
Columns upsampled(Channel const& channel, Color color, index y, index luma_blocks, index end_row,
                  std::int32_t* work, index stride);

/// What low-pass or DC coefficients are multiplied with to be like pixels, and then shifted by.
struct ReducedScale {
    std::int32_t factor;
    int luma_shift, chroma_shift;
};
ReducedScale reduced_scale(int reduction, int overlap, bool scaled, Color color);

/// Row `row` of the coefficients that become pixels of a reduced image: of a macroblock row's four
/// (reduction 4) or its only one (16). `out` gets 4 * blocks_across or blocks_across numbers.
void reduced_row(Header const& header, Plane const& plane, int c, int reduction, index row,
                 std::int32_t* out);

}  // namespace sluice::codec::jxr
