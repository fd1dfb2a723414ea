// The slow twin of every operator: one sum after the other, in double.
// SPDX-License-Identifier: Apache-2.0
#include "nn/operator.h"

namespace sluice::nn {
namespace {

float get(void const* x, Element e, index i) {
    if (e == Element::f32) return static_cast<float const*>(x)[i];
    return static_cast<float>(static_cast<Bf16 const*>(x)[i]);
}

void set(void* y, Element e, index i, double value) {
    auto const number = static_cast<float>(value);
    if (e == Element::f32)
        static_cast<float*>(y)[i] = number;
    else
        static_cast<Bf16*>(y)[i] = Bf16::of(number);
}

class Plain final : public Operator {
  public:
    Plain(Task const& task, std::span<float const> weights)
        : task_(task), s_(task.shape), weights_(weights.begin(), weights.end()) {
        if (task.from == Element::bf16)
            for (float& w : weights_) w = static_cast<float>(Bf16::of(w));
    }

    void run(void const* x, void* y, std::byte*) const override {
        index const width = s_.width_out(), rows = s_.rows_out();
        for (index r = 0; r < rows; ++r)
            for (index w = 0; w < width; ++w)
                for (index c = 0; c < s_.out; ++c) {
                    index const at = (r * width + w) * s_.out + c;
                    double const before = task_.add ? static_cast<double>(get(y, task_.to, at)) : 0;
                    set(y, task_.to, at, before + sum(x, r, w, c));
                }
    }

    index scratch_bytes() const override { return 0; }
    index weight_bytes() const override { return 4 * static_cast<index>(weights_.size()); }
    std::string name() const override { return "plain loops"; }

  private:
    Task task_;
    Shape s_;
    std::vector<float> weights_;

    double weight(index i) const {
        return static_cast<double>(weights_[static_cast<std::size_t>(i)]);
    }
    // Row 0 is the first one that is given; beside the picture there are zeros.
    double pixel(void const* x, index r, index w, index c) const {
        if (w < 0 || w >= s_.width) return 0;
        return static_cast<double>(get(x, task_.from, (r * s_.width + w) * s_.in + c));
    }

    double sum(void const* x, index r, index w, index c) const {
        index const down = s_.scale[0], across = s_.scale[1];
        double out = 0;
        switch (s_.kind) {
            case Kind::pointwise:
                for (index i = 0; i < s_.in; ++i) out += weight(c * s_.in + i) * pixel(x, r, w, i);
                break;
            case Kind::square:
                for (index i = 0; i < s_.in; ++i)
                    for (index k = 0; k < 9; ++k)
                        out +=
                            weight((c * s_.in + i) * 9 + k) * pixel(x, r + k / 3, w + k % 3 - 1, i);
                break;
            case Kind::shrink:
                for (index i = 0; i < s_.in; ++i)
                    for (index k = 0; k < down * across; ++k)
                        out += weight((c * s_.in + i) * down * across + k) *
                               pixel(x, r * down + k / across, w * across + k % across, i);
                break;
            case Kind::grow:
                for (index i = 0; i < s_.in; ++i)
                    out += weight(((i * s_.out + c) * down + r % down) * across + w % across) *
                           pixel(x, r / down, w / across, i);
                break;
            case Kind::along_width:
                for (index i = 0; i < s_.width; ++i)
                    out += weight(w * s_.width + i) * pixel(x, r, i, c);
                break;
        }
        return out;
    }
};

}  // namespace

std::unique_ptr<Operator const> plain_operator(Task const& task, std::span<float const> weights) {
    return std::make_unique<Plain>(task, weights);
}

Result<std::unique_ptr<Operator const>> make_operator(Task const& task,
                                                      std::span<float const> weights,
                                                      Device const& device) {
    expects(static_cast<index>(weights.size()) == task.shape.weights());
    if (device.kind() == Device::Kind::reference) return plain_operator(task, weights);
    return dnnl_operator(task, weights);
}

}  // namespace sluice::nn
