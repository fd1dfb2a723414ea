// Means and medians of stems, sample by sample.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/separate/ensemble.h"

#include <algorithm>
#include <numeric>

namespace sluice::music {

struct Ensemble::Running {
    Augmented augmented;
    ChunkStream stream;
    std::vector<index> stems;
    double weight;
    std::vector<std::vector<float>>
        lanes;  ///< the samples that are not joined yet, of all its stems

    Running(Member const& m, SeparateOptions const& o)
        : augmented(*m.network),
          stream(o.augment ? static_cast<ChunkSeparator&>(augmented) : *m.network, m.plan, o.batch,
                 o.trace),
          stems(m.stems),
          weight(m.weight),
          lanes(static_cast<std::size_t>(2 * m.network->stems())) {}

    std::vector<float>& lane(std::size_t wanted) {
        auto const stem = static_cast<std::size_t>(stems[wanted / 2]);
        return lanes[2 * stem + wanted % 2];
    }
};

namespace {

float middle_of(std::span<float> values) {
    auto const n = values.size();
    std::ranges::sort(values);
    if (n % 2 == 1) return values[n / 2];
    return static_cast<float>((double(values[n / 2 - 1]) + double(values[n / 2])) / 2);
}

}  // namespace

Ensemble::Ensemble(std::vector<Member> const& members, SeparateOptions const& options)
    : join_(options.join) {
    expects(!members.empty());
    for (Member const& m : members) members_.push_back(std::make_unique<Running>(m, options));
}

Ensemble::~Ensemble() = default;

void Ensemble::add(std::span<float const> left, std::span<float const> right) {
    for (auto const& m : members_) m->stream.add(left, right);
}

void Ensemble::end() {
    for (auto const& m : members_) m->stream.end();
}

bool Ensemble::due() const {
    return std::ranges::any_of(members_, [](auto const& m) { return m->stream.due(); });
}

index Ensemble::chunks() const {
    return std::accumulate(members_.begin(), members_.end(), index{0},
                           [](index n, auto const& m) { return n + m->stream.chunks(); });
}

Status Ensemble::run(std::vector<std::vector<float>>& lanes) {
    for (auto const& m : members_) {
        if (!m->stream.due()) continue;
        SLUICE_CHECK(m->stream.run(m->lanes));
        break;
    }
    join(lanes);
    return {};
}

void Ensemble::join(std::vector<std::vector<float>>& lanes) {
    std::size_t n = members_[0]->lanes[0].size();
    for (auto const& m : members_) n = std::min(n, m->lanes[0].size());
    double all = 0;
    for (auto const& m : members_) all += m->weight;
    std::vector<float> values(members_.size());
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        auto& out = lanes[lane];
        if (members_.size() == 1) {
            auto const& only = members_[0]->lane(lane);
            out.insert(out.end(), only.begin(), only.begin() + static_cast<index>(n));
            continue;
        }
        for (std::size_t k = 0; k < n; ++k) {
            if (join_ == Join::median) {
                std::ranges::transform(members_, values.begin(),
                                       [&](auto const& m) { return m->lane(lane)[k]; });
                out.push_back(middle_of(values));
            } else {
                double sum = 0;
                for (auto const& m : members_) sum += m->weight * double(m->lane(lane)[k]);
                out.push_back(static_cast<float>(sum / all));
            }
        }
    }
    for (auto const& m : members_)
        for (auto& lane : m->lanes) lane.erase(lane.begin(), lane.begin() + static_cast<index>(n));
}

}  // namespace sluice::music
