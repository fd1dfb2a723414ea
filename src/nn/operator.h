// Operator: a linear layer of a strip of rows, made ready for one thread at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>

#include "nn/shape.h"
#include "sluice/device.h"
#include "sluice/result.h"

namespace sluice::nn {

/// Any number of threads may run it, each with a scratch of its own. The same rows give the same
/// bits, whatever ran before.
class Operator {
  public:
    virtual ~Operator() = default;

    /// `x` is [rows_in() + 2 halo()][width][in] of `from`, `y` is [rows_out()][width_out()][out] of
    /// `to`; pixels outside the picture are zero. y = map of x, or y += map of x. Both begin with
    /// cache lines.
    virtual void run(void const* x, void* y, std::byte* scratch) const = 0;

    virtual index scratch_bytes() const = 0;
    virtual index weight_bytes() const = 0;
    virtual std::string name() const = 0;  ///< of its algorithm
};

/// What an operator reads, writes and does with what is there.
struct Task {
    Shape shape;  ///< of a strip
    Element from = Element::f32, to = Element::f32;
    bool add = false;
};

/// `weights` are shape.weights() numbers, which are copied in the order that suits the processor.
/// Fails where it cannot compute this, or memory is short.
Result<std::unique_ptr<Operator const>> make_operator(Task const& task,
                                                      std::span<float const> weights,
                                                      Device const& device);

/// The obviously correct twin: plain loops, in double.
std::unique_ptr<Operator const> plain_operator(Task const& task, std::span<float const> weights);
/// By oneDNN.
Result<std::unique_ptr<Operator const>> dnnl_operator(Task const& task,
                                                      std::span<float const> weights);

/// Whether this processor has instructions that multiply bf16, and whether they are of matrices.
bool multiplies_bf16();
bool multiplies_bf16_matrices();

}  // namespace sluice::nn
