// Candidates: the orientations of a pattern that correlate best with its disks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "domain/orientation/library/library.h"

namespace sluice::orient {

struct Candidate {
    float score = 0;
    std::int32_t zone = -1;
    std::int16_t azimuth = 0;
    bool mirror = false;
};

/// The best of all that were offered, the best first.
class Candidates {
  public:
    static constexpr std::size_t most = 48;

    /// What a candidate must be better than.
    float least() const { return count_ < most ? 0.0F : all_[most - 1].score; }
    void offer(Candidate const& c);
    void clear() { count_ = 0; }
    std::span<Candidate const> all() const { return {all_.data(), count_}; }

  private:
    std::array<Candidate, most> all_{};
    std::size_t count_ = 0;
};

/// The zone's orientation turned by an azimuth in radian; of the mirror image: after half a turn
/// about y.
stem4d::Orientation turned(stem4d::Orientation const& zone, double azimuth, bool mirror);

/// Cosine of half the least rotation between two orientations of one crystal.
double nearness(stem4d::Orientation const& a, stem4d::Orientation const& b,
                stem4d::CrystalSymmetry const& symmetry);

/// A candidate with its phase and its orientation.
struct Start {
    float score;
    index phase;
    stem4d::Orientation orientation;
};
/// The best ones that are some degrees from each other.
void distinct(stem4d::OrientationLibrary::State const& library, Candidates const& candidates,
              index most, std::vector<Start>& out);

}  // namespace sluice::orient
