// Cuts the image into blocks of tiles, and shares them among threads.
// SPDX-License-Identifier: Apache-2.0
#include "nn/winograd.h"

#include <algorithm>

#include "device/per_isa.h"
#include "device/workers.h"
#include "nn/tallies.h"
#include "nn/winograd_kernels.h"
#include "nn/winograd_reference.h"

namespace sluice::nn {

SLUICE_PER_ISA(WinogradKernels, winograd_kernels)

namespace {

constexpr index line = 16;  // floats
// Floats of transformed weights, or of a transformed image, that are kept for all threads. The
// third level of caches should hold them.
constexpr index kept_at_most = index{6} << 20;
// Tiles of a block: enough to use the weights often that were brought from the third level.
constexpr index tiles_at_most = 64;
constexpr index tiles_of_many_channels = 32;
constexpr index many_channels = 640;

constexpr index up(index n, index to) {
    return (n + to - 1) / to * to;
}

/// The blocks of an image; the last ones of a line or a column may be smaller.
struct Blocks {
    index height, width, tiles_down, tiles_across;  // of the image
    index down, across;                             // tiles of a block

    Blocks(index height, index width, index in)
        : height(height),
          width(width),
          tiles_down((height + tile_side - 1) / tile_side),
          tiles_across((width + tile_side - 1) / tile_side) {
        index const most = in > many_channels ? tiles_of_many_channels : tiles_at_most;
        down = std::min(tiles_down, in > many_channels ? index{4} : index{8});
        across = std::min(tiles_across, most / down);
    }
    index columns() const { return (tiles_across + across - 1) / across; }
    index count() const { return (tiles_down + down - 1) / down * columns(); }
    index tiles() const { return down * across; }
    index patch() const {
        return (down * tile_side + 2) * (across * tile_side + 2) * chunk_channels;
    }
    TileBlock at(index i) const {
        index const row = i / columns() * down, column = i % columns() * across;
        return {height,
                width,
                row * tile_side,
                column * tile_side,
                std::min(down, tiles_down - row),
                std::min(across, tiles_across - column)};
    }
    index pixels(index i) const {
        TileBlock const b = at(i);
        return std::min(b.down * tile_side, height - b.top) *
               std::min(b.across * tile_side, width - b.left);
    }
};

/// Some channels of a source, which are transformed together.
struct Chunk {
    std::size_t source;
    index first, n;  ///< of the source's channels
    index to;        ///< the channel of the image that the first one is
};

template <class T>
class Run {
  public:
    Run(Device const& device, WinogradKernels const& kernels, index height, index width,
        std::span<Source<T> const> sources, index in, index out, float const* weights, index step,
        bool adds, Rows<T> y)
        : kernels_(kernels),
          sources_(sources),
          in_(in),
          out_(out),
          weights_(weights),
          step_(step),
          adds_(adds),
          y_(y),
          threads_(device.threads()),
          blocks_(height, width, in),
          tallies_(blocks_.count(), out) {
        index to = 0;
        for (std::size_t s = 0; s < sources.size(); ++s)
            for (index c = 0; c < sources[s].pixels.channels; c += chunk_channels) {
                index const n = std::min(chunk_channels, sources[s].pixels.channels - c);
                chunks_.push_back({s, c, n, to});
                to += n;
            }
        // An odd number of lines from tile to tile and from place to place, so that they do not
        // meet in the same sets of the caches.
        image_tile_ = up(in, 2 * line) + line;
        image_place_ = blocks_.tiles() * image_tile_ + line;
        product_place_ = blocks_.tiles() * kernels.panel + line;
        strips_ = (out + kernels.panel - 1) / kernels.panel;
    }

    Result<Moments> operator()(Scratch& scratch) {
        bool const keeps_image = blocks_.count() * image_floats() <= kept_at_most;
        // Weights of so many strips are transformed before the image is; all, if there is room.
        index const rounds = (strips_ * strip_floats() + kept_at_most - 1) / kept_at_most;
        index const strips = (strips_ + rounds - 1) / rounds;
        index const shared =
            keeps_image ? blocks_.count() * image_floats() : strips * strip_floats();
        own_ =
            up(product_floats() + blocks_.patch() + (keeps_image ? strip_floats() : image_floats()),
               line);
        SLUICE_TRY(shared_, scratch.take(up(shared, line) + own_ * threads_));
        workers_ = shared_ + up(shared, line);
        if (keeps_image)
            strip_by_strip();
        else
            for (index first = 0; first < strips_; first += strips)
                block_by_block(first, std::min(strips_, first + strips));
        std::vector<index> counts;
        for (index i = 0; i < blocks_.count(); ++i) counts.push_back(blocks_.pixels(i));
        return tallies_.moments(counts);
    }

  private:
    index image_floats() const { return up(tile_places * image_place_, line); }
    index product_floats() const { return up(tile_places * product_place_, line); }
    index strip_floats() const { return tile_places * in_ * kernels_.panel; }

    // What a worker has for itself: a product, a patch, and an image or a strip of weights.
    Places product(int worker) const {
        return {workers_ + own_ * worker, product_place_, kernels_.panel};
    }
    float* patch(int worker) const { return workers_ + own_ * worker + product_floats(); }
    float* rest(int worker) const { return patch(worker) + blocks_.patch(); }
    Places image(float* at) const { return {at, image_place_, image_tile_}; }

    void transform(Chunk const& chunk, index block, float* patch, Places to) const {
        Source<T> const& s = sources_[chunk.source];
        to.data += chunk.to;
        kernels_.template image<T>()(
            s.pixels, chunk.first, chunk.n, s.affine.scale.data() + chunk.first,
            s.affine.shift.data() + chunk.first, s.activation, blocks_.at(block), patch, to);
    }
    void transform_weights(index strip, float* to) const {
        kernels_.weights(weights_ + strip * kernels_.panel, in_, step_, to);
    }
    void make(index block, index strip, Places image, float const* weights, Places product) {
        TileBlock const b = blocks_.at(block);
        index const first = strip * kernels_.panel, n = std::min(kernels_.panel, out_ - first);
        kernels_.multiply(image, in_, b.tiles(), weights, product);
        kernels_.template result<T>()(product, b, n, adds_,
                                      {y_.data + first, y_.rows, n, y_.stride},
                                      tallies_.at(block, first));
    }

    // For large images: threads take blocks, and make all channels of the result from one.
    void block_by_block(index first, index last) {
        parallel_for(last - first, threads_, 1, [&](index i, int) {
            transform_weights(first + i, shared_ + i * strip_floats());
        });
        index const parts = std::clamp<index>(2 * threads_ / blocks_.count(), 1, last - first);
        parallel_for(blocks_.count() * parts, threads_, 1, [&](index i, int worker) {
            index const block = i / parts, part = i % parts;
            Places const own = image(rest(worker));
            for (Chunk const& chunk : chunks_) transform(chunk, block, patch(worker), own);
            for (index s = (last - first) * part / parts; s < (last - first) * (part + 1) / parts;
                 ++s)
                make(block, first + s, own, shared_ + s * strip_floats(), product(worker));
        });
    }

    // For small images, which have many channels: threads take channels of the result, and their
    // weights meet the whole image while a cache holds them.
    void strip_by_strip() {
        auto const many = static_cast<index>(chunks_.size());
        parallel_for(blocks_.count() * many, threads_, 1, [&](index i, int worker) {
            transform(chunks_[static_cast<std::size_t>(i % many)], i / many, patch(worker),
                      image(shared_ + i / many * image_floats()));
        });
        parallel_for(strips_, threads_, 1, [&](index strip, int worker) {
            transform_weights(strip, rest(worker));
            for (index block = 0; block < blocks_.count(); ++block)
                make(block, strip, image(shared_ + block * image_floats()), rest(worker),
                     product(worker));
        });
    }

    WinogradKernels const& kernels_;
    std::span<Source<T> const> sources_;
    index in_, out_;
    float const* weights_;
    index step_;
    bool adds_;
    Rows<T> y_;
    int threads_;
    Blocks blocks_;
    Tallies tallies_;
    std::vector<Chunk> chunks_;
    index image_tile_, image_place_, product_place_, strips_;
    index own_ = 0;
    float *shared_ = nullptr, *workers_ = nullptr;
};

}  // namespace

Winograd::Winograd(std::span<float const> weights, index in, index out)
    : in_(in),
      out_(out),
      step_(up(out, 2 * line)),
      weights_(static_cast<std::size_t>(9 * in * step_)) {
    for (index o = 0; o < out; ++o)
        for (index i = 0; i < in; ++i)
            for (index k = 0; k < 9; ++k)
                weights_[static_cast<std::size_t>((k * in + i) * step_ + o)] =
                    weights[static_cast<std::size_t>((o * in + i) * 9 + k)];
}

template <class T>
Result<Moments> Winograd::run(Device const& device, index height, index width,
                              std::span<Source<T> const> sources, bool adds, Rows<T> y,
                              Scratch& scratch) const {
    if (device.kind() == Device::Kind::reference)
        return convolve_directly<T>(weights_.data(), in_, step_, height, width, sources, adds, y);
    return Run<T>(device, winograd_kernels(device.isa()), height, width, sources, in_, out_,
                  weights_.data(), step_, adds, y)(scratch);
}

template Result<Moments> Winograd::run<float>(Device const&, index, index,
                                              std::span<Source<float> const>, bool, Rows<float>,
                                              Scratch&) const;
template Result<Moments> Winograd::run<Bf16>(Device const&, index, index,
                                             std::span<Source<Bf16> const>, bool, Rows<Bf16>,
                                             Scratch&) const;

}  // namespace sluice::nn
