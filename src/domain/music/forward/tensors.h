// Tensors: the numbers of a model's weights as floats, one tensor at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "format/weights/weights.h"

namespace sluice::music {

/// Numbers of a tensor; of float32 they are the bytes of the file.
class Numbers {
  public:
    explicit Numbers(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
    std::span<float const> floats() const {
        return {reinterpret_cast<float const*>(bytes_.data()), bytes_.size() / sizeof(float)};
    }

  private:
    std::vector<std::byte> bytes_;
};

/// Reads the tensor called `name`, which is there. float64, float16 and bfloat16 become float32.
Result<Numbers> numbers_of(weights::Weights const& weights, std::string const& name);

}  // namespace sluice::music
