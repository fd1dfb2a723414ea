// Rows: a tensor in channels-last as its pixels, one after the other, each with all its channels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "base/bf16.h"
#include "sluice/view.h"

namespace sluice::nn {

/// Does not own what it shows; T is float or Bf16, const where it is only read.
template <class T>
struct Rows {
    T* data = nullptr;
    index rows = 0, channels = 0;
    index stride = 0;  ///< elements from row to row; more than `channels` in a part of a tensor

    T* row(index i) const { return data + i * stride; }
    operator Rows<T const>() const requires(!std::is_const_v<T>) {
        return {data, rows, channels, stride};
    }
};

}  // namespace sluice::nn
