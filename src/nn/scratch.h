// Scratch: memory that operations use one after the other, and that grows to what the largest
// needs. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <memory>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::nn {

/// For one operation at a time. What an operation leaves there is lost with the next one.
class Scratch {
  public:
    /// At least so many floats, from the begin of a cache line.
    Result<float*> take(index floats) {
        if (floats > floats_) {
            data_.reset();
            floats_ = 0;
            auto const bytes = (static_cast<std::size_t>(floats) * sizeof(float) + 63) / 64 * 64;
            data_.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
            if (!data_)
                return Error{Code::out_of_memory, "no memory for " + std::to_string(bytes >> 20) +
                                                      " MiB of scratch (the network's layers "
                                                      "share it) free some memory"};
            floats_ = floats;
        }
        return data_.get();
    }
    index floats() const { return floats_; }

  private:
    struct Free {
        void operator()(float* p) const { std::free(p); }
    };
    std::unique_ptr<float[], Free> data_;
    index floats_ = 0;
};

}  // namespace sluice::nn
