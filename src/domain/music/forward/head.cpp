// Head: four products of matrices and a gate for each strip of frames.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/head.h"

#include <cstring>

#include "device/share_out.h"
#include "nn/block.h"

namespace sluice::music {
namespace {

constexpr index strip_bytes = index{1} << 20;

// The map times the first layer's answer, which is where the product goes.
template <class T>
void gate(nn::Rows<T const> map, float* first) {
    for (index i = 0; i < map.rows * map.channels; ++i) first[i] *= static_cast<float>(map.data[i]);
}

}  // namespace

Result<Head> Head::make(HeadWeights const& weights, Network const& n, index frames,
                        nn::Activation activation, Device const& device) {
    Head h;
    h.activation_ = activation;
    index const c = n.channels, in = n.inputs();
    h.as_it_is_ = {std::vector<float>(static_cast<std::size_t>(c), 1.0F),
                   std::vector<float>(static_cast<std::size_t>(c), 0.0F)};
    index rows = std::max<index>(1, strip_bytes / (4 * n.bins * c));
    while (frames % rows != 0) --rows;
    h.rows_ = rows;
    nn::Shape shape{nn::Kind::pointwise, rows, n.bins, in, c};
    SLUICE_TRY(h.first_, nn::make_operator({shape}, weights.first, device));
    SLUICE_TRY(h.mix_, nn::make_operator({shape}, weights.mix, device));
    shape.in = c;
    SLUICE_TRY(h.map_, nn::make_operator({.shape = shape, .add = true}, weights.map, device));
    shape.out = n.stems * in;
    SLUICE_TRY(h.last_, nn::make_operator({shape}, weights.last, device));
    h.local_ = nn::on_line(4 * rows * n.bins * c);
    index operate = 0;
    for (auto const* o : {&h.first_, &h.mix_, &h.map_, &h.last_})
        operate = std::max(operate, nn::on_line((*o)->scratch_bytes()));
    h.scratch_ = 2 * h.local_ + operate;
    return h;
}

index Head::weight_bytes() const {
    return first_->weight_bytes() + mix_->weight_bytes() + map_->weight_bytes() +
           last_->weight_bytes();
}

void Head::strip(Device const& device, nn::Map const& mix, nn::Map const& map, nn::Map const& out,
                 std::byte* scratch) const {
    auto* const gated = reinterpret_cast<float*>(scratch);
    std::byte* const sum = scratch + local_;
    std::byte* const room = sum + local_;
    first_->run(mix.data, gated, room);
    if (map.element == nn::Element::f32)
        gate(map.pixels<float const>(), gated);
    else
        gate(map.pixels<Bf16 const>(), gated);
    mix_->run(mix.data, sum, room);
    map_->run(gated, sum, room);
    nn::Map active = map;
    active.data = sum;
    active.element = nn::Element::f32;
    nn::normalise_activate<float, float>(device, active.pixels<float const>(), as_it_is_,
                                         activation_, active.pixels<float>());
    last_->run(sum, out.data, room);
}

Status Head::run(Device const& device, nn::Map const& mix, nn::Map const& map, nn::Map const& out,
                 nn::Map const* gated, std::byte* scratch, index scratch_step, Run* run) const {
    share_out(map.height / rows_, device.threads(), run, [&](index i, int worker) {
        std::byte* const own = scratch + worker * scratch_step;
        index const first = i * rows_;
        strip(device, mix.part(first, rows_), map.part(first, rows_), out.part(first, rows_), own);
        if (gated) {
            nn::Map const part = gated->part(first, rows_);
            std::memcpy(part.data, own, static_cast<std::size_t>(part.bytes()));
        }
    });
    return run ? run->check() : Status();
}

}  // namespace sluice::music
