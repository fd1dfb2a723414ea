// Convolver: makes the linear layers of a network where a queue's memory is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/queue.h"
#include "nn/shape.h"

namespace sluice::nn {

/// What numbers of float are rounded to before they are multiplied. tf32 has eleven binary digits,
/// and is what tensor cores multiply; sums are of float.
enum class Products : std::uint8_t { fp32, tf32 };

/// A linear layer of whole maps, [row][column][channel] of float; all addresses are the device's.
class RemoteOperator {
  public:
    virtual ~RemoteOperator() = default;

    /// The weights, which are as PyTorch has them, in the order in which they must lie on the
    /// device: as many numbers.
    virtual std::vector<float> arranged(std::span<float const> weights) const = 0;
    /// y = map of x, or y += map of x. `scratch` has room for another y and is overwritten. They
    /// overlap nowhere.
    virtual Status run(Queue& queue, float const* x, float* y, float* scratch) const = 0;
    virtual std::string name() const = 0;  ///< of its algorithm
};

/// For one queue. No operator may outlive the convolver or the queue.
class Convolver {
  public:
    virtual ~Convolver() = default;

    /// The arranged weights will be at `weights`.
    virtual Result<std::unique_ptr<RemoteOperator>> make(Shape const& shape, bool add,
                                                         float const* weights) = 0;
    /// Bytes of the device that it takes beside weights and maps.
    virtual index bytes() const = 0;
    /// What some of its layers may have; ours have fp32.
    virtual Products products() const = 0;
    /// "cuDNN 9.13", and how many of the layers so far are ours.
    virtual std::string name() const = 0;
};

/// Ours: functors, on every device.
std::unique_ptr<Convolver> plain_convolver();

/// What a device computes with.
struct ChosenConvolver {
    std::unique_ptr<Convolver> convolver;
    std::string why_not;  ///< cuDNN, on a GPU without it; else empty
};
/// cuDNN on a GPU that has it, else ours.
Result<ChosenConvolver> choose_convolver(Queue& queue, Products products);
/// What choose_convolver()'s will say of its bytes(), known before a queue is there.
index expected_convolver_bytes(Device const& device);

}  // namespace sluice::nn
