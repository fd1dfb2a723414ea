// Layer: each strip is normalised into the thread's scratch, mapped, and counted while it is warm.
// SPDX-License-Identifier: Apache-2.0
#include "nn/layer.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "device/per_isa.h"
#include "device/share_out.h"
#include "nn/block.h"
#include "nn/normalise_kernels.h"
#include "nn/tallies.h"

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

// Those of some of the inputs; empty where that is all of them.
std::vector<float> of_inputs(std::span<float const> weights, Shape const& s, index first,
                             index count) {
    if (count == s.in || s.kind == Kind::along_width) return {};
    expects(s.kind != Kind::grow);
    index const area = s.weights() / (s.in * s.out);
    std::vector<float> part(static_cast<std::size_t>(s.out * count * area));
    for (index o = 0; o < s.out; ++o)
        std::copy_n(weights.data() + (o * s.in + first) * area, count * area,
                    part.data() + o * count * area);
    return part;
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

Result<Layer> Layer::make(Wish const& wish, std::span<float const> weights, Device const& device) {
    expects(wish.before == Before::normalised || wish.shape.halo() == 0);
    Layer l;
    l.wish_ = wish;
    Shape& whole = l.wish_.shape;
    whole.in = std::accumulate(wish.channels.begin(), wish.channels.end(), index{0});
    if (whole.kind == Kind::along_width) whole.out = whole.in;
    if (whole.kind == Kind::square && wish.method == Method::winograd) {
        l.winograd_.emplace(weights, whole.in, whole.out);
        return l;
    }
    Shape strip = whole;
    l.rows_ = strip.rows = strip_rows(whole);
    bool add = wish.add;
    for (index first = 0; index const channels : wish.channels) {
        strip.in = channels;
        std::vector<float> const part = of_inputs(weights, whole, first, channels);
        SLUICE_TRY(auto made, make_operator({strip, wish.multiplied,
                                             l.rounds() ? wish.multiplied : wish.out, add},
                                            part.empty() ? weights : part, device));
        l.operate_ = std::max(l.operate_, on_line(made->scratch_bytes()));
        l.local_ = std::max(l.local_, on_line((strip.rows_in() + 2 * strip.halo()) * strip.width *
                                              strip.in * bytes_of(wish.multiplied)));
        l.operators_.push_back(std::move(made));
        add = true;
        first += channels;
    }
    if (l.rounds()) {
        auto const size = static_cast<std::size_t>(whole.out);
        l.as_it_is_ = {std::vector<float>(size, 1.0F), std::vector<float>(size, 0.0F)};
        expects(!wish.add);
        l.result_ =
            on_line(strip.rows_out() * strip.width_out() * strip.out * bytes_of(wish.multiplied));
    }
    l.scratch_ = l.local_ + l.operate_ + l.result_ + on_line(4 * tally_scratch(whole.out));
    return l;
}

index Layer::weight_bytes() const {
    if (winograd_) return winograd_->weight_bytes();
    index sum = 0;
    for (auto const& o : operators_) sum += o->weight_bytes();
    return sum;
}

std::string Layer::name() const {
    return winograd_ ? "winograd" : operators_.front()->name();
}

struct Layer::Work {
    NormaliseKernels const& kernels;
    std::span<Input const> inputs;
    Map out;
    Tallies* tallies;  ///< of strips, or null
};

void Layer::strip(Work const& work, index number, std::byte* scratch) const {
    Shape s = wish_.shape;
    s.rows = rows_;
    Map const out = work.out.part(number * s.rows_out(), s.rows_out());
    std::byte* const result = scratch + local_ + operate_;
    for (std::size_t p = 0; p < operators_.size(); ++p) {
        Input const& input = work.inputs[p];
        index const first = number * s.rows_in() - s.halo(),
                    last = first + s.rows_in() + 2 * s.halo();
        index const from = std::max<index>(0, first), to = std::min(last, input.map.height);
        Map const given = input.map.part(from, to - from);
        std::byte const* x = given.data;
        if (wish_.before == Before::normalised) {
            Map local = given;
            local.element = wish_.multiplied;
            index const above = (from - first) * local.row_bytes(), own = local.bytes();
            std::memset(scratch, 0, static_cast<std::size_t>(above));
            std::memset(scratch + above + own, 0,
                        static_cast<std::size_t>((last - to) * local.row_bytes()));
            local.data = scratch + above;
            normalise(work.kernels, given, input, local);
            x = scratch;
        }
        operators_[p]->run(x, rounds() ? result : out.data, scratch + local_);
    }
    if (rounds()) {
        Map from = out;
        from.element = wish_.multiplied;
        from.data = result;
        normalise(work.kernels, from, {from, &as_it_is_}, out);
    }
    if (!work.tallies) return;
    auto* const sums = reinterpret_cast<float*>(result + result_);
    Tally const tally = work.tallies->at(number);
    if (out.element == Element::f32)
        work.kernels.tally_f32(out.pixels<float const>(), sums, tally);
    else
        work.kernels.tally_bf16(out.pixels<Bf16 const>(), sums, tally);
}

Result<Moments> Layer::run_strips(Device const& device, std::span<Input const> inputs, Map out,
                                  bool wanted, Workspace const& space) const {
    index const strips = wish_.shape.rows / rows_;
    Tallies tallies(wanted ? strips : 0, out.channels);
    Work const work{table_for(device, reference_normalise(), normalise_kernels), inputs, out,
                    wanted ? &tallies : nullptr};
    share_out(strips, device.threads(), space.run,
              [&](index i, int worker) { strip(work, i, space.data + worker * space.step); });
    if (space.run) SLUICE_CHECK(space.run->check());
    if (!wanted) return Moments();
    return tallies.moments(
        std::vector<index>(static_cast<std::size_t>(strips), out.height / strips * out.width));
}

template <class T>
Result<Moments> Layer::run_winograd(Device const& device, std::span<Input const> inputs, Map out,
                                    Workspace& space) const {
    std::vector<Source<T>> sources;
    for (Input const& i : inputs)
        sources.push_back({i.map.pixels<T const>(), *i.affine, i.activation});
    return winograd_->run<T>(device, out.height, out.width, sources, wish_.add, out.pixels<T>(),
                             space.winograd, space.run);
}

Result<Moments> Layer::run(Device const& device, std::span<Input const> inputs, Map out,
                           bool wanted, Workspace& space) const {
    expects(inputs.size() == wish_.channels.size() && out.height == wish_.shape.rows_out() &&
            out.width == wish_.shape.width_out() && out.channels == wish_.shape.out);
    if (!winograd_) return run_strips(device, inputs, out, wanted, space);
    if (out.element == Element::f32) return run_winograd<float>(device, inputs, out, space);
    return run_winograd<Bf16>(device, inputs, out, space);
}

}  // namespace sluice::nn
