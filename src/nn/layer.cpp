// Layer: each strip is normalised into the thread's scratch, mapped, and counted while it is warm.
// SPDX-License-Identifier: Apache-2.0
#include "nn/layer.h"

#include <algorithm>
#include <cstring>

#include "device/per_isa.h"
#include "device/workers.h"
#include "nn/block.h"
#include "nn/normalise_kernels.h"

namespace sluice::nn {
namespace {

// A strip and what is made of it fit the second-level cache or nearly so.
constexpr index strip_bytes = index{2} << 20;
// Enough strips for some threads, where the map is small.
constexpr index least_strips = 8;

// A divisor of the rows, so that one operator serves all strips.
index strip_rows(Shape const& whole) {
    Shape one = whole;
    one.rows = 1;
    index const row = 4 * std::max(one.rows_in() * one.width * one.in,
                                   one.rows_out() * one.width_out() * one.out);
    index const most = std::min(std::max<index>(1, strip_bytes / std::max<index>(row, 1)),
                                std::max<index>(2, whole.rows / least_strips));
    for (index rows = std::min(most, whole.rows); rows > 1; --rows)
        if (whole.rows % rows == 0) return rows;
    return 1;
}

template <class From, class To>
void normalise(NormaliseKernels const& kernels, Map const& x, Input const& how, Map const& y) {
    kernels.normalise<From, To>()(x.pixels<From const>(), how.affine->scale.data(),
                                  how.affine->shift.data(), how.activation, y.pixels<To>(), false);
}

void normalise(NormaliseKernels const& kernels, Map const& x, Input const& how, Map const& y) {
    bool const float_in = x.element == Element::f32, float_out = y.element == Element::f32;
    if (float_in && float_out) return normalise<float, float>(kernels, x, how, y);
    if (float_in) return normalise<float, Bf16>(kernels, x, how, y);
    if (float_out) return normalise<Bf16, float>(kernels, x, how, y);
    normalise<Bf16, Bf16>(kernels, x, how, y);
}

}  // namespace

Result<Layer> Layer::make(Wish const& wish, std::span<Part const> parts) {
    expects(wish.before == Before::normalised || wish.shape.halo() == 0);
    Layer l;
    l.wish_ = wish;
    Shape strip = wish.shape;
    for (Part const& p : parts) strip.in = std::max(strip.in, p.channels);
    l.rows_ = strip.rows = strip_rows(strip);
    bool add = wish.add;
    for (Part const& p : parts) {
        strip.in = p.channels;
        if (strip.kind == Kind::along_width) strip.out = p.channels;
        SLUICE_TRY(auto made, make_operator({strip, wish.from, wish.to, add}, p.weights));
        l.operate_ = std::max(l.operate_, on_line(made->scratch_bytes()));
        l.local_ = std::max(l.local_, on_line((strip.rows_in() + 2 * strip.halo()) * strip.width *
                                              strip.in * bytes_of(wish.from)));
        l.operators_.push_back(std::move(made));
        add = true;
    }
    l.wish_.shape.out = strip.out;
    l.scratch_ = l.local_ + l.operate_ + on_line(4 * tally_scratch(strip.out));
    return l;
}

index Layer::weight_bytes() const {
    index sum = 0;
    for (auto const& o : operators_) sum += o->weight_bytes();
    return sum;
}

struct Layer::Work {
    NormaliseKernels const& kernels;
    std::span<Input const> inputs;
    Map out;
    double* means;    ///< [strip][channel], or null
    double* squares;
};

void Layer::strip(Work const& work, index number, std::byte* scratch) const {
    Shape s = wish_.shape;
    s.rows = rows_;
    Map const out = work.out.part(number * s.rows_out(), s.rows_out());
    for (std::size_t p = 0; p < operators_.size(); ++p) {
        Input const& input = work.inputs[p];
        index const first = number * s.rows_in() - s.halo(), last = first + s.rows_in() + 2 * s.halo();
        index const from = std::max<index>(0, first), to = std::min(last, input.map.height);
        Map const given = input.map.part(from, to - from);
        std::byte const* x = given.data;
        if (wish_.before == Before::normalised) {
            Map local = given;
            local.element = wish_.from;
            index const above = (from - first) * local.row_bytes(), own = local.bytes();
            std::memset(scratch, 0, static_cast<std::size_t>(above));
            std::memset(scratch + above + own, 0,
                        static_cast<std::size_t>((last - to) * local.row_bytes()));
            local.data = scratch + above;
            normalise(work.kernels, given, input, local);
            x = scratch;
        }
        operators_[p]->run(x, out.data, scratch + local_);
    }
    if (!work.means) return;
    auto* const sums = reinterpret_cast<float*>(scratch + local_ + operate_);
    Tally const tally{work.means + number * out.channels, work.squares + number * out.channels};
    if (out.element == Element::f32)
        work.kernels.tally_f32(out.pixels<float const>(), sums, tally);
    else
        work.kernels.tally_bf16(out.pixels<Bf16 const>(), sums, tally);
}

void Layer::run(Device const& device, std::span<Input const> inputs, Map out, Moments* moments,
                std::byte* scratch, index scratch_step) const {
    expects(inputs.size() == operators_.size() && out.height == wish_.shape.rows_out() &&
            out.width == wish_.shape.width_out() && out.channels == wish_.shape.out);
    index const strips = wish_.shape.rows / rows_;
    std::vector<double> means, squares;
    if (moments) {
        means.resize(static_cast<std::size_t>(strips * out.channels));
        squares.resize(means.size());
    }
    Work const work{table_for(device, reference_normalise(), normalise_kernels), inputs, out,
                    moments ? means.data() : nullptr, squares.data()};
    parallel_for(strips, device.threads(), 1, [&](index i, int worker) {
        strip(work, i, scratch + worker * scratch_step);
    });
    if (moments)
        *moments = joined(means, squares, out.height * out.width,
                          out.height / strips * out.width, out.channels);
}

}  // namespace sluice::nn
