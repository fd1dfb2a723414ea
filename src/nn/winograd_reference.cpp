// One pixel and one channel after the other.
// SPDX-License-Identifier: Apache-2.0
#include "nn/winograd_reference.h"

#include <cmath>

#include "nn/exact.h"
#include "nn/winograd_kernels.h"

namespace sluice::nn {
namespace {

// The image as doubles, [pixel][channel].
template <class T>
std::vector<double> activated_image(index pixels, std::span<Source<T> const> sources) {
    std::vector<double> image;
    for (index p = 0; p < pixels; ++p)
        for (Source<T> const& s : sources)
            for (index c = 0; c < s.pixels.channels; ++c) {
                auto const i = static_cast<std::size_t>(c);
                image.push_back(activated(
                    exact(s.pixels.row(p)[c]) * exact(s.affine.scale[i]) + exact(s.affine.shift[i]),
                    s.activation));
            }
    return image;
}

}  // namespace

template <class T>
Moments convolve_directly(float const* weights, index in, index height, index width,
                          std::span<Source<T> const> sources, bool adds, Rows<T> y) {
    auto const image = activated_image(height * width, sources);
    for (index p = 0; p < height * width; ++p)
        for (index o = 0; o < y.channels; ++o) {
            double sum = adds ? exact(y.row(p)[o]) : 0;
            for (index k = 0; k < 9; ++k) {
                index const down = p / width + k / 3 - 1, along = p % width + k % 3 - 1;
                if (down < 0 || down >= height || along < 0 || along >= width) continue;
                double const* const x = image.data() + (down * width + along) * in;
                for (index i = 0; i < in; ++i) sum += x[i] * exact(weights[weight_at(in, o, i, k)]);
            }
            put(sum, y.row(p)[o]);
        }
    return moments<T>(Device::reference(), y);
}

template Moments convolve_directly<float>(float const*, index, index, index,
                                          std::span<Source<float> const>, bool, Rows<float>);
template Moments convolve_directly<Bf16>(float const*, index, index, index,
                                         std::span<Source<Bf16> const>, bool, Rows<Bf16>);

}  // namespace sluice::nn
