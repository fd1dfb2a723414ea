// Layer: normalising, activation and a linear map in one pass over strips that stay in the caches.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "nn/normalise.h"
#include "nn/operator.h"

namespace sluice::nn {

/// One of the maps that a layer reads, and what is done with it before. Without `affine`, nothing is.
struct Input {
    Map map;
    Affine const* affine = nullptr;
    Activation activation = Activation::identity();
};

/// What becomes of the numbers that the weights of a layer are multiplied with.
enum class Before : std::uint8_t { as_they_are, normalised };

/// The sum of linear maps of one or more inputs, which have the same size and own channels: what a
/// convolution of their concatenation is. Immutable; the memory that it works in is the caller's.
///
/// Strips depend on the shape alone, and each is one thread's: results have the same bits
/// for any number of threads.
class Layer {
  public:
    struct Part {
        index channels = 0;
        std::span<float const> weights;
    };
    /// `shape` is of the whole map; its `in` is not read. With `add`, the sum is added to what is there.
    /// `from` is the element that is multiplied, `to` the one of what comes out.
    struct Wish {
        Shape shape;
        Before before = Before::normalised;
        Element from = Element::f32, to = Element::f32;
        bool add = false;
    };
    static Result<Layer> make(Wish const& wish, std::span<Part const> parts);

    /// Scratch of one thread.
    index scratch_bytes() const { return scratch_; }
    index weight_bytes() const;
    Shape const& shape() const { return wish_.shape; }
    /// Of the algorithm.
    std::string name() const { return operators_.front()->name(); }

    /// One scratch per thread, one after the other, each scratch_step bytes. Statistics are of what is
    /// in `out` then, and only computed where `moments` is not null. `out` overlaps no input.
    void run(Device const& device, std::span<Input const> inputs, Map out, Moments* moments,
             std::byte* scratch, index scratch_step) const;

  private:
    struct Work;
    void strip(Work const& work, index number, std::byte* scratch) const;

    Wish wish_;
    index rows_ = 0;      ///< of a strip, as Shape::rows counts them
    index local_ = 0;     ///< bytes of the largest strip that is copied
    index operate_ = 0;   ///< bytes of scratch that the operators want
    index scratch_ = 0;
    std::vector<std::unique_ptr<Operator const>> operators_;
};

}  // namespace sluice::nn
