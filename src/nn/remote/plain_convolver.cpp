// Our own linear layers on devices: a functor for each kind.
// SPDX-License-Identifier: Apache-2.0
#include "launch/map.h"
#include "nn/remote/convolver.h"
#include "nn/remote/linear_kernels.h"

namespace sluice::nn {
namespace {

index tiles_of(index width) {
    return (width + neighbours - 1) / neighbours;
}

// From [first][second][area] to [area][second][first] or [area][first][second].
std::vector<float> with_area_first(std::span<float const> from, index first, index second,
                                   index area, bool swapped) {
    std::vector<float> to(from.size());
    for (index i = 0; i < first; ++i)
        for (index k = 0; k < second; ++k)
            for (index a = 0; a < area; ++a) {
                index const at = swapped ? k * first + i : i * second + k;
                to[static_cast<std::size_t>(a * first * second + at)] =
                    from[static_cast<std::size_t>((i * second + k) * area + a)];
            }
    return to;
}

class Functor final : public RemoteOperator {
  public:
    Functor(Shape const& shape, bool add, float const* weights)
        : s_(shape), add_(add), weights_(weights) {}

    std::vector<float> arranged(std::span<float const> weights) const override {
        switch (s_.kind) {
            case Kind::grow:
                return with_area_first(weights, s_.in, s_.out, s_.scale[0] * s_.scale[1], false);
            case Kind::along_width:
                return with_area_first(weights, s_.across, s_.width, 1, true);
            default:
                return with_area_first(weights, s_.out, s_.in, s_.weights() / (s_.in * s_.out),
                                       true);
        }
    }

    Status run(Queue& queue, float const* x, float* y, float*) const override {
        index const down = s_.scale[0], across = s_.scale[1];
        switch (s_.kind) {
            case Kind::pointwise:
                return convolve(queue, x, y, {1, 1}, {1, 1}, 0);
            case Kind::square:
                return convolve(queue, x, y, {3, 3}, {1, 1}, 1);
            case Kind::shrink:
                return convolve(queue, x, y, {down, across}, {down, across}, 0);
            case Kind::grow:
                return launch::map(
                    queue, s_.rows_out() * tiles_of(s_.width) * across * s_.out,
                    Grow{x, weights_, y, s_.width, s_.in, s_.out, {down, across}, add_});
            case Kind::along_width:
                return launch::map(queue, s_.rows * tiles_of(s_.across) * s_.in,
                                   AlongWidth{x, weights_, y, s_.width, s_.across, s_.in, add_});
        }
        return {};
    }

    std::string name() const override { return "functor"; }

  private:
    Shape s_;
    bool add_;
    float const* weights_;

    Status convolve(Queue& queue, float const* x, float* y, std::array<index, 2> taps,
                    std::array<index, 2> step, index before) const {
        return launch::map(queue, s_.rows_out() * tiles_of(s_.width_out()) * s_.out,
                           Convolve{x,
                                    weights_,
                                    y,
                                    s_.rows_in(),
                                    s_.width,
                                    s_.in,
                                    s_.width_out(),
                                    s_.out,
                                    {taps[0], taps[1]},
                                    {step[0], step[1]},
                                    before,
                                    add_});
    }
};

class Functors final : public Convolver {
  public:
    Result<std::unique_ptr<RemoteOperator>> make(Shape const& shape, bool add,
                                                 float const* weights) override {
        return std::unique_ptr<RemoteOperator>(std::make_unique<Functor>(shape, add, weights));
    }
    index bytes() const override { return 0; }
    Products products() const override { return Products::fp32; }
    std::string name() const override { return "our own convolutions"; }
};

}  // namespace

std::unique_ptr<Convolver> plain_convolver() {
    return std::make_unique<Functors>();
}

}  // namespace sluice::nn
