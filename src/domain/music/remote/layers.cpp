// The same list is walked twice: to count, and to read.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/remote/layers.h"

#include <numeric>

#include "domain/music/forward/layers.h"

namespace sluice::music {
namespace {

nn::Shape head_shape(Network const& n, index frames, index in, index out) {
    return {nn::Kind::pointwise, frames, n.bins, in, out};
}

struct Nothing {};

/// What maker does below, without weights.
struct Counter {
    NormKind kind;
    Arena arena = {};

    void norm(Nothing&, std::string const&, index channels) {
        if (RemoteNorm{kind}.wants_moments()) {
            arena.take<float>(channels);
            arena.take<float>(channels);
        }
        arena.take<float>(2 * channels);
    }
    void layer(Nothing&, std::string const&, nn::Shape shape, std::vector<index> const& in,
               Role role) {
        if (role == Role::raw) {
            for (index const channels : in) weights(shape, channels);
        } else {
            weights(shape, std::accumulate(in.begin(), in.end(), index{0}));
        }
    }
    void weights(nn::Shape shape, index in) {
        shape.in = in;
        arena.take<float>(shape.weights());
    }
    void head(Network const& n, index frames) {
        index const c = n.channels, in = n.inputs();
        weights(head_shape(n, frames, in, c), in);
        weights(head_shape(n, frames, in, c), in);
        weights(head_shape(n, frames, c, c), c);
        weights(head_shape(n, frames, c, n.stems * in), c);
        arena.take<float>(2 * c);
    }
};

class Maker {
  public:
    Maker(Queue& queue, nn::Convolver& convolver, Arena& arena, weights::Weights const& weights,
          NormKind kind)
        : queue_(queue), convolver_(convolver), arena_(arena), weights_(weights), kind_(kind) {}

    void norm(RemoteNorm& out, std::string const& prefix, index channels) {
        if (status_) status_ = make_norm(out, prefix, channels);
    }
    void layer(RemoteLayer& out, std::string const& name, nn::Shape const& shape,
               std::vector<index> const& in, Role role) {
        if (status_) status_ = make_layer(out, name, shape, in, role);
    }
    void head(RemoteLayers& out, Network const& n, index frames) {
        if (status_) status_ = make_head(out, n, frames);
    }
    Status const& status() const { return status_; }

  private:
    Queue& queue_;
    nn::Convolver& convolver_;
    Arena& arena_;
    weights::Weights const& weights_;
    NormKind kind_;
    Status status_;

    // Waits, so that a model is never in the host's memory twice.
    Result<float*> place(std::span<float const> values) {
        auto* const at = arena_.take<float>(std::ssize(values));
        SLUICE_CHECK(queue_.upload(at, std::as_bytes(values)));
        SLUICE_CHECK(queue_.wait());
        return at;
    }

    Status make_norm(RemoteNorm& out, std::string const& prefix, index channels) {
        SLUICE_TRY(NormLayer const norm, NormLayer::read(weights_, prefix, kind_, channels));
        out.kind = kind_;
        out.channels = channels;
        if (!out.wants_moments()) return place_affine(out, norm.affine({}));
        SLUICE_TRY(out.gamma, place(norm.gamma()));
        SLUICE_TRY(out.beta, place(norm.beta()));
        out.affine = arena_.take<float>(2 * channels);
        return {};
    }
    Status place_affine(RemoteNorm& out, nn::Affine const& affine) {
        std::vector<float> both = affine.scale;
        both.insert(both.end(), affine.shift.begin(), affine.shift.end());
        SLUICE_TRY(out.affine, place(both));
        return {};
    }

    Status make_layer(RemoteLayer& out, std::string const& name, nn::Shape shape,
                      std::vector<index> const& in, Role role) {
        SLUICE_TRY(Numbers const numbers, numbers_of(weights_, name));
        shape.in = std::accumulate(in.begin(), in.end(), index{0});
        if (shape.kind == nn::Kind::along_width) shape.out = shape.in;
        if (role != Role::raw) return make_one(out, shape, numbers.floats(), role == Role::added);
        for (index first = 0; index const channels : in) {
            std::vector<float> part;
            for (index o = 0; o < shape.out; ++o) {
                auto const row = numbers.floats().begin() + o * shape.in + first;
                part.insert(part.end(), row, row + channels);
            }
            nn::Shape own = shape;
            own.in = channels;
            SLUICE_CHECK(make_one(out, own, part, first > 0));
            first += channels;
        }
        return {};
    }

    Status make_one(RemoteLayer& out, nn::Shape const& shape, std::span<float const> weights,
                    bool add) {
        auto* const at = arena_.take<float>(shape.weights());
        SLUICE_TRY(auto made, convolver_.make(shape, add, at));
        std::vector<float> const arranged = made->arranged(weights);
        SLUICE_CHECK(queue_.upload(at, std::as_bytes(std::span(arranged))));
        SLUICE_CHECK(queue_.wait());
        out.shape = shape;
        out.operators.push_back(std::move(made));
        return {};
    }

    Status make_head(RemoteLayers& out, Network const& n, index frames) {
        SLUICE_TRY(HeadWeights const w, read_head(weights_, n));
        index const c = n.channels, in = n.inputs();
        SLUICE_CHECK(make_one(out.gate, head_shape(n, frames, in, c), w.first, false));
        SLUICE_CHECK(make_one(out.mix, head_shape(n, frames, in, c), w.mix, false));
        SLUICE_CHECK(make_one(out.map, head_shape(n, frames, c, c), w.map, true));
        SLUICE_CHECK(make_one(out.last, head_shape(n, frames, c, n.stems * in), w.last, false));
        auto const size = static_cast<std::size_t>(c);
        out.as_it_is.channels = c;
        return place_affine(out.as_it_is,
                            {std::vector<float>(size, 1.0F), std::vector<float>(size, 0.0F)});
    }
};

}  // namespace

index remote_weight_bytes(Network const& n, NormKind norm, index frames) {
    Counter counter{norm};
    LayersOf<Nothing, Nothing> layers;
    list_layers(n, frames, layers, counter);
    counter.head(n, frames);
    return counter.arena.used();
}

Result<RemoteLayers> load_remote_layers(Queue& queue, nn::Convolver& convolver, Arena& arena,
                                        weights::Weights const& weights, Network const& n,
                                        NormKind norm, index frames) {
    RemoteLayers layers;
    Maker maker(queue, convolver, arena, weights, norm);
    list_layers(n, frames, layers, maker);
    maker.head(layers, n, frames);
    SLUICE_CHECK(maker.status());
    return layers;
}

}  // namespace sluice::music
