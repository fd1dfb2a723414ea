// Tensors: read when they are wanted, so that a model is never in memory twice.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/tensors.h"

#include <algorithm>
#include <cstring>

#include "base/bf16.h"
#include "base/half.h"

namespace sluice::music {
namespace {

// From is a number as it is stored; doubles are rounded to floats.
template <class From>
std::vector<std::byte> converted(std::vector<std::byte> const& bytes) {
    std::size_t const n = bytes.size() / sizeof(From);
    std::vector<std::byte> out(n * sizeof(float));
    for (std::size_t i = 0; i < n; ++i) {
        From from;
        std::memcpy(&from, bytes.data() + i * sizeof from, sizeof from);
        auto const to = static_cast<float>(from);
        std::memcpy(out.data() + i * sizeof to, &to, sizeof to);
    }
    return out;
}

}  // namespace

Result<Numbers> numbers_of(weights::Weights const& weights, std::string const& name) {
    weights::Tensor const* const tensor = weights.find(name);
    expects(tensor != nullptr);
    SLUICE_TRY(std::vector<std::byte> bytes, weights::read_tensor(weights, *tensor));
    switch (tensor->element) {
        case weights::Element::f64:
            return Numbers(converted<double>(bytes));
        case weights::Element::f16:
            return Numbers(converted<Half>(bytes));
        case weights::Element::bf16:
            return Numbers(converted<Bf16>(bytes));
        default:
            return Numbers(std::move(bytes));
    }
}

}  // namespace sluice::music
