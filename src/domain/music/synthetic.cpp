// Untrained weights: a number is a function of the seed and of its place.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/synthetic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/splitmix.h"

namespace sluice::music {
namespace {

std::uint64_t mixed(std::uint64_t x) {
    return splitmix::mix(x + splitmix::golden);
}

// In [-1, 1), of 24 bits: exact as a float.
float uniform(std::uint64_t random) {
    return static_cast<float>(static_cast<std::int64_t>(random >> 40) - (1 << 23)) /
           static_cast<float>(1 << 23);
}

// A tensor's numbers are middle + spread * uniform, and a shortcut's more where an output meets the
// inputs that have its number.
struct Spread {
    float middle = 0, spread = 0;
    index inputs = 0, outputs = 0;  ///< of a shortcut

    float carried(std::uint64_t place) const {
        if (inputs == 0) return 0;
        index const out = static_cast<index>(place) / inputs;
        index const in = static_cast<index>(place) % inputs;
        if (in % outputs != out) return 0;
        return inputs == outputs ? 1 : 0.7F;
    }
};

bool is_transposed(std::string_view name) {
    return name.find(".upscale.") != std::string_view::npos;
}

Spread spread_of(TensorShape const& t) {
    std::string_view const name = t.name;
    if (name.ends_with(".running_mean") || name.ends_with(".bias")) return {0, 0.1F};
    if (name.ends_with(".running_var")) return {1, 0.5F};
    if (t.shape.size() < 2) return {1, 0.25F};
    // In the transposed convolution each output is a sum over the first extent alone.
    index added = is_transposed(name) ? t.shape[0] : 1;
    if (!is_transposed(name))
        for (std::size_t i = 1; i < t.shape.size(); ++i) added *= t.shape[i];
    float const bound = 1 / std::sqrt(static_cast<float>(added));
    if (name.ends_with(".shortcut.weight")) return {0, bound / 4, t.shape[1], t.shape[0]};
    bool const last = name.ends_with(".tfc2.2.weight") || name.ends_with(".tdf.5.weight");
    return {0, last ? bound / 2 : bound};
}

class Synthetic final : public Source {
  public:
    Synthetic(Network const& network, std::uint64_t seed) : seed_(seed) {
        for (TensorShape const& t : places(network)) {
            index n = 1;
            for (index const extent : t.shape) n *= extent;
            bool const counts = t.name.ends_with(".num_batches_tracked");
            std::uint64_t const bytes = static_cast<std::uint64_t>(n) * (counts ? 8 : 4);
            parts_.push_back({size_, bytes, counts, spread_of(t)});
            size_ += (bytes + 7) / 8 * 8;
        }
    }

    std::string const& name() const override { return name_; }
    std::uint64_t size() const override { return size_; }
    std::uint64_t begin_of(std::size_t tensor) const { return parts_[tensor].at; }

    Status read(std::uint64_t offset, std::span<std::byte> out) const override {
        expects(offset <= size_ && out.size() <= size_ - offset);
        auto part = std::ranges::upper_bound(parts_, offset, {}, &Part::at);
        while (!out.empty()) {
            Part const& p = *(part - 1);
            std::uint64_t const end = part == parts_.end() ? size_ : part->at;
            std::uint64_t const n = std::min<std::uint64_t>(out.size(), end - offset);
            fill(p, offset - p.at, out.first(n));
            out = out.subspan(n);
            offset += n;
            ++part;
        }
        return {};
    }

  private:
    struct Part {
        std::uint64_t at, bytes;
        bool counts;  ///< a number of batches: an integer of 64 bits
        Spread spread;
    };

    // Four bytes at `at`, a multiple of 4, of a part.
    std::uint32_t word(Part const& p, std::uint64_t at) const {
        if (at >= p.bytes) return 0;
        if (p.counts) return at % 8 == 0 ? 1000 : 0;
        float const u = uniform(mixed(mixed(seed_) ^ (p.at + at)));
        return std::bit_cast<std::uint32_t>(p.spread.middle + p.spread.spread * u +
                                            p.spread.carried(at / 4));
    }

    void fill(Part const& p, std::uint64_t at, std::span<std::byte> out) const {
        while (!out.empty()) {
            std::uint32_t const w = word(p, at / 4 * 4);
            std::size_t const skip = at % 4, n = std::min<std::size_t>(4 - skip, out.size());
            for (std::size_t i = 0; i < n; ++i)
                out[i] = static_cast<std::byte>(w >> 8 * (skip + i) & 255);
            out = out.subspan(n);
            at += n;
        }
    }

    std::string name_ = "synthetic weights";
    std::uint64_t seed_ = 0, size_ = 0;
    std::vector<Part> parts_;
};

}  // namespace

weights::Weights synthetic_weights(Network const& network, std::uint64_t seed) {
    auto const file = std::make_shared<Synthetic>(network, seed);
    weights::Weights w;
    w.file = file;
    w.container = weights::Container::safetensors;
    for (TensorShape const& t : places(network)) {
        std::vector<index> strides(t.shape.size(), 1);
        for (std::size_t i = strides.size(); i-- > 1;) strides[i - 1] = strides[i] * t.shape[i];
        bool const counts = t.name.ends_with(".num_batches_tracked");
        w.tensors.push_back({t.name, counts ? weights::Element::i64 : weights::Element::f32,
                             t.shape, std::move(strides), file->begin_of(w.tensors.size())});
    }
    return w;
}

}  // namespace sluice::music
