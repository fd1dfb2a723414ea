// Shares blocks of tiles, or channels of the result, among threads.
// SPDX-License-Identifier: Apache-2.0
#include "nn/winograd.h"

#include "device/per_isa.h"
#include "device/share_out.h"
#include "nn/tallies.h"
#include "nn/winograd_blocks.h"
#include "nn/winograd_reference.h"

namespace sluice::nn {

SLUICE_PER_ISA(WinogradKernels, winograd_kernels)

namespace {

constexpr index cache_line = 16;  // floats
// Floats of a transformed image, or of transformed weights, that all threads share. What does not
// fit is done in rounds, each of which transforms the image again.
constexpr index image_at_most = index{4} << 20, weights_at_most = index{12} << 20;
// Channels of the image that are multiplied at a time: the weights of one place stay in the first
// level of caches, all the numbers of them in the second.
constexpr index depth = 256;

constexpr index up(index n, index to) {
    return (n + to - 1) / to * to;
}

/// Some channels of a source, which are transformed together.
struct Chunk {
    std::size_t source;
    index first, n;  ///< of the source's channels
    index to;        ///< the channel of the image that the first one is
};

template <class T>
std::vector<Chunk> chunks_of(std::span<Source<T> const> sources) {
    std::vector<Chunk> chunks;
    index to = 0;
    for (std::size_t s = 0; s < sources.size(); ++s)
        for (index c = 0; c < sources[s].pixels.channels; c += chunk_channels) {
            index const n = std::min(chunk_channels, sources[s].pixels.channels - c);
            chunks.push_back({s, c, n, to});
            to += n;
        }
    return chunks;
}

/// What the transforms of an image take. From tile to tile and from place to place there is an odd
/// number of cache lines, so that they do not meet in the same sets of the caches.
struct Sizes {
    index panel;
    index image_tile, image_place, image;  ///< of a block
    index product_place, product;          ///< of a block
    index strip_place, strip;              ///< a panel of the weights
    index deep_place, deep;                ///< `depth` channels of one
    index strips;

    Sizes(TileBlocks const& blocks, index in, index out, index panel_of)
        : panel(panel_of),
          image_tile(up(in, 2 * cache_line) + cache_line),
          image_place(blocks.tiles() * image_tile + cache_line),
          image(up(tile_places * image_place, cache_line)),
          product_place(blocks.tiles() * panel + cache_line),
          product(up(tile_places * product_place, cache_line)),
          strip_place(in * panel + cache_line),
          strip(up(tile_places * strip_place, cache_line)),
          deep_place(depth * panel + cache_line),
          deep(up(tile_places * deep_place, cache_line)),
          strips((out + panel - 1) / panel) {}
};

/// The convolution of one image.
template <class T>
class Convolution {
  public:
    Convolution(Device const& device, index height, index width, std::span<Source<T> const> sources,
                Winograd const& of, float const* weights, bool adds, Rows<T> y, Run* run)
        : kernels_(winograd_kernels(device.isa())),
          threads_(device.threads()),
          run_(run),
          sources_(sources),
          chunks_(chunks_of(sources)),
          in_(of.in()),
          out_(of.out()),
          weights_(weights),
          adds_(adds),
          y_(y),
          blocks_(height, width, in_),
          sizes_(blocks_, in_, out_, kernels_.panel),
          tallies_(blocks_.count(), out_) {}

    Result<Moments> operator()(Scratch& scratch) {
        if (blocks_.count() * sizes_.image <= image_at_most) {
            products_ = blocks_.count();
            SLUICE_TRY(shared_, take(scratch, blocks_.count() * sizes_.image, sizes_.deep));
            strip_by_strip();
        } else {
            // As many of the weights at a time as there is room for.
            index const rounds =
                (sizes_.strips * sizes_.strip + weights_at_most - 1) / weights_at_most;
            index const strips = (sizes_.strips + rounds - 1) / rounds;
            SLUICE_TRY(shared_, take(scratch, strips * sizes_.strip, sizes_.image));
            for (index first = 0; first < sizes_.strips; first += strips)
                block_by_block(first, std::min(strips, sizes_.strips - first));
        }
        if (run_) SLUICE_CHECK(run_->check());
        std::vector<index> counts;
        for (index i = 0; i < blocks_.count(); ++i) counts.push_back(blocks_.pixels(i));
        return tallies_.moments(counts);
    }

  private:
    // What all share; behind it lies what each worker has: products, a patch, and `rest`.
    Result<float*> take(Scratch& scratch, index shared, index rest) {
        own_ = products_ * sizes_.product + up(blocks_.patch(), cache_line) + rest;
        SLUICE_TRY(auto* const room, scratch.take(shared + own_ * threads_));
        workers_ = room + shared;
        return room;
    }
    Places product(int worker, index i = 0) const {
        return {workers_ + own_ * worker + i * sizes_.product, sizes_.product_place, sizes_.panel};
    }
    float* patch(int worker) const { return workers_ + own_ * worker + products_ * sizes_.product; }
    float* rest(int worker) const { return patch(worker) + up(blocks_.patch(), cache_line); }
    Places image(float* at) const { return {at, sizes_.image_place, sizes_.image_tile}; }

    void transform(Chunk const& chunk, index block, float* patch, Places to) const {
        Source<T> const& s = sources_[chunk.source];
        to.data += chunk.to;
        kernels_.template image<T>()(
            s.pixels, chunk.first, chunk.n, s.affine.scale.data() + chunk.first,
            s.affine.shift.data() + chunk.first, s.activation, blocks_.at(block), patch, to);
    }
    // n of the image's channels, from the k-th on.
    void transform_weights(index strip, index k, index n, index place, float* to) const {
        kernels_.weights(weights_ + weight_at(in_, strip * sizes_.panel, k, 0), n, place, to);
    }
    void multiply(index block, index k, index n, Places image, float const* weights, index place,
                  Places product) const {
        image.data += k;
        kernels_.multiply(image, n, blocks_.at(block).tiles(), weights, place, k > 0, product);
    }
    void finish(index block, index strip, Places product) {
        index const first = strip * sizes_.panel, n = std::min(sizes_.panel, out_ - first);
        kernels_.template result<T>()(product, blocks_.at(block), n, adds_,
                                      {y_.data + first, y_.rows, n, y_.stride},
                                      tallies_.at(block, first));
    }
    // work(k, n) for `depth` of the image's channels at a time.
    template <class Work>
    void each_depth(Work const& work) const {
        for (index k = 0; k < in_; k += depth) work(k, std::min(depth, in_ - k));
    }

    // For large images: threads take blocks, and make many channels of the result from one.
    void block_by_block(index first, index strips) {
        share_out(strips, threads_, run_, [&](index i, int) {
            transform_weights(first + i, 0, in_, sizes_.strip_place, shared_ + i * sizes_.strip);
        });
        index const parts = std::clamp<index>(2 * threads_ / blocks_.count(), 1, strips);
        share_out(blocks_.count() * parts, threads_, run_, [&](index i, int worker) {
            index const block = i / parts, part = i % parts;
            Places const own = image(rest(worker)), made = product(worker);
            for (Chunk const& chunk : chunks_) transform(chunk, block, patch(worker), own);
            for (index s = strips * part / parts; s < strips * (part + 1) / parts; ++s) {
                float const* const weights = shared_ + s * sizes_.strip;
                multiply(block, 0, in_, own, weights, sizes_.strip_place, made);
                finish(block, first + s, made);
            }
        });
    }

    // For small images, which have many channels: threads take channels of the result, and their
    // weights meet the whole image right after they were transformed.
    void strip_by_strip() {
        auto const many = static_cast<index>(chunks_.size()), blocks = blocks_.count();
        share_out(blocks * many, threads_, run_, [&](index i, int worker) {
            transform(chunks_[static_cast<std::size_t>(i % many)], i / many, patch(worker),
                      image(shared_ + i / many * sizes_.image));
        });
        share_out(sizes_.strips, threads_, run_, [&](index strip, int worker) {
            each_depth([&](index k, index n) {
                transform_weights(strip, k, n, sizes_.deep_place, rest(worker));
                for (index b = 0; b < blocks; ++b)
                    multiply(b, k, n, image(shared_ + b * sizes_.image), rest(worker),
                             sizes_.deep_place, product(worker, b));
            });
            for (index b = 0; b < blocks; ++b) finish(b, strip, product(worker, b));
        });
    }

    WinogradKernels const& kernels_;
    int threads_;
    Run* run_;
    std::span<Source<T> const> sources_;
    std::vector<Chunk> chunks_;
    index in_, out_;
    float const* weights_;
    bool adds_;
    Rows<T> y_;
    TileBlocks blocks_;
    Sizes sizes_;
    Tallies tallies_;
    index products_ = 1, own_ = 0;
    float *shared_ = nullptr, *workers_ = nullptr;
};

}  // namespace

Winograd::Winograd(std::span<float const> weights, index in, index out)
    : in_(in), out_(out), weights_(static_cast<std::size_t>(9 * in * up(out, weights_across))) {
    for (index o = 0; o < out; ++o)
        for (index i = 0; i < in; ++i)
            for (index k = 0; k < 9; ++k)
                weights_[static_cast<std::size_t>(weight_at(in, o, i, k))] =
                    weights[static_cast<std::size_t>((o * in + i) * 9 + k)];
}

template <class T>
Result<Moments> Winograd::run(Device const& device, index height, index width,
                              std::span<Source<T> const> sources, bool adds, Rows<T> y,
                              Scratch& scratch, Run* run) const {
    if (device.kind() == Device::Kind::reference)
        return convolve_directly<T>(weights_.data(), in_, height, width, sources, adds, y);
    return Convolution<T>(device, height, width, sources, *this, weights_.data(), adds, y,
                          run)(scratch);
}

template Result<Moments> Winograd::run<float>(Device const&, index, index,
                                              std::span<Source<float> const>, bool, Rows<float>,
                                              Scratch&, Run*) const;
template Result<Moments> Winograd::run<Bf16>(Device const&, index, index,
                                             std::span<Source<Bf16> const>, bool, Rows<Bf16>,
                                             Scratch&, Run*) const;

}  // namespace sluice::nn
