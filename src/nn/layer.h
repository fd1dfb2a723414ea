// Layer: normalising, activation and a linear map in one pass over strips that stay in the caches.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "nn/operator.h"
#include "nn/winograd.h"

namespace sluice::nn {

/// One of the maps that a layer reads, and what is done with it before. Without `affine`, nothing
/// is.
struct Input {
    Map map;
    Affine const* affine = nullptr;
    Activation activation = Activation::identity();
};

/// What becomes of the numbers that the weights of a layer are multiplied with.
enum class Before : std::uint8_t { as_they_are, normalised };

/// How convolutions of 3x3 are computed: Winograd's algorithm multiplies a quarter as often, in
/// float; directly is faster where a processor multiplies matrices of bf16.
enum class Method : std::uint8_t { winograd, direct };

/// The memory that layers work in, one after the other.
struct Workspace {
    std::byte* data = nullptr;  ///< `step` bytes for each thread
    index step = 0;
    Scratch winograd;
    Run* run = nullptr;  ///< null: layers are computed to their end
};

/// A linear map of the concatenation of one or more inputs, which is never made: they have the same
/// size and own channels. Immutable; the memory that it works in is the caller's.
///
/// Strips depend on the shape alone, and each is one thread's: results have the same bits
/// for any number of threads.
class Layer {
  public:
    struct Wish {
        Shape shape;                  ///< of the whole map; its `in` is not read
        std::vector<index> channels;  ///< of each input
        Before before = Before::normalised;
        Element multiplied = Element::f32, out = Element::f32;
        Method method = Method::direct;
        bool add = false;  ///< to what is there
    };
    /// `weights` are those of the concatenation.
    static Result<Layer> make(Wish const& wish, std::span<float const> weights,
                              Device const& device);

    /// Bytes of a workspace for each thread.
    index scratch_bytes() const { return scratch_; }
    index weight_bytes() const;
    Shape const& shape() const { return wish_.shape; }
    std::string name() const;  ///< of the algorithm

    /// The moments of what is in `out` then, if `wanted`. `out` overlaps no input. Errors: no
    /// memory; that of the workspace's run, between strips.
    Result<Moments> run(Device const& device, std::span<Input const> inputs, Map out, bool wanted,
                        Workspace& space) const;

  private:
    struct Work;
    /// Whether an operator cannot write what is wanted: oneDNN has no products of float that become
    /// bf16.
    bool rounds() const { return wish_.multiplied != wish_.out; }
    void strip(Work const& work, index number, std::byte* scratch) const;
    Result<Moments> run_strips(Device const& device, std::span<Input const> inputs, Map out,
                               bool wanted, Workspace const& space) const;
    template <class T>
    Result<Moments> run_winograd(Device const& device, std::span<Input const> inputs, Map out,
                                 Workspace& space) const;

    Wish wish_;
    index rows_ = 0;     ///< of a strip, as Shape::rows counts them
    index local_ = 0;    ///< bytes of the largest strip that is copied
    index operate_ = 0;  ///< bytes of scratch that the operators want
    index result_ = 0;   ///< bytes of a strip of the result, where it is rounded behind
    index scratch_ = 0;
    Affine as_it_is_;
    std::vector<std::unique_ptr<Operator const>> operators_;  ///< of each input
    std::optional<Winograd> winograd_;                        ///< or this
};

}  // namespace sluice::nn
