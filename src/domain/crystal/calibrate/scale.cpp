// Tries every ring of theory for every radius, and weighs what the others then are.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/calibrate/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace sluice::crystal {
namespace {

using stem4d::KnownRing;

// The part of rings that nothing explains, and the wideness of what is believed of a stated size.
constexpr double strangers = 0.05, belief = 0.3;
// Scales whose probability is e^-3 of the best one or more are told.
constexpr double nearly = 3, same_scale = 0.01;
constexpr double least_part = 0.6;  // of the rings must be explained

struct Trial {
    double scale = 0, likelihood = 0;
    std::vector<std::ptrdiff_t> rings = {};
    std::size_t explained = 0, asked = 0;
};

// Rings of theory are as likely as each other, so that one of a dense list says less.
class Judge {
  public:
    Judge(std::span<double const> radii, std::span<KnownRing const> known, double blur,
          double stated)
        : radii_(radii), known_(known), blur_(blur), stated_(stated) {
        auto const [low, high] = std::ranges::minmax_element(radii);
        low_ = *low, high_ = *high;
    }
    Trial operator()(double scale) const {
        Trial t{.scale = scale};
        double const width = std::log(high_ / low_) + 6 * blur_, out = 1 + 3 * blur_;
        auto const inside = std::ranges::count_if(known_, [&](KnownRing const& k) {
            return k.frequency > scale * low_ / out && k.frequency < scale * high_ * out;
        });
        double const share = (1 - strangers) / static_cast<double>(std::max<index>(inside, 1));
        double const top = std::sqrt(2 * std::numbers::pi) * blur_;
        for (double r : radii_) {
            double density = strangers / width, nearest = 3 * blur_;
            std::ptrdiff_t ring = -1;
            for (std::size_t k = 0; k < known_.size(); ++k) {
                double const x = std::log(r * scale / known_[k].frequency);
                density += share * std::exp(-x * x / (2 * blur_ * blur_)) / top;
                if (std::abs(x) < nearest)
                    nearest = std::abs(x), ring = static_cast<std::ptrdiff_t>(k);
            }
            t.rings.push_back(ring);
            // Beyond the last ring of theory nothing is said.
            if (r * scale > known_.back().frequency * out) continue;
            ++t.asked, t.explained += ring >= 0;
            t.likelihood += std::log(density * width);
        }
        if (stated_ > 0) {
            double const x = std::log(scale / stated_) / belief;
            t.likelihood -= x * x / 2;
        }
        return t;
    }
    // The scale that the explained rings say together.
    double refined(Trial const& t) const {
        double sum = 0, n = 0;
        for (std::size_t i = 0; i < radii_.size(); ++i)
            if (t.rings[i] >= 0) {
                sum += std::log(known_[static_cast<std::size_t>(t.rings[i])].frequency / radii_[i]);
                n += 1;
            }
        return n > 0 ? std::exp(sum / n) : t.scale;
    }

  private:
    std::span<double const> radii_;
    std::span<KnownRing const> known_;
    double blur_, stated_, low_ = 0, high_ = 0;
};

std::string reading(Trial const& t, std::span<double const> radii,
                    std::span<KnownRing const> known) {
    for (std::size_t i = 0; i < radii.size(); ++i)
        if (t.rings[i] >= 0)
            return fmt::format("{:.2f} px is {}", radii[i],
                               known[static_cast<std::size_t>(t.rings[i])].name);
    return "";
}

}  // namespace

Result<Scale> scale_of(std::span<double const> radii, std::span<KnownRing const> known, double blur,
                       double stated) {
    if (radii.empty() || known.empty())
        return Error{Code::invalid_argument,
                     fmt::format("{} rings were measured and {} are known (one each is needed at "
                                 "least) detect more disks, or give spacings",
                                 radii.size(), known.size())};
    if (radii.size() == 1 && known.size() > 1 && !(stated > 0))
        return Error{Code::invalid_argument,
                     fmt::format("one ring, of {:.2f} px, may be any of the {} that are known (the "
                                 "pixel size follows from two or more) detect more disks, or give "
                                 "the spacing of this one alone",
                                 radii[0], known.size())};
    Judge const judge(radii, known, blur, stated);
    std::vector<Trial> all;
    for (double r : radii)
        for (KnownRing const& k : known) {
            Trial t = judge(k.frequency / r);
            t = judge(judge.refined(t));
            // The list of theory may end early: what lies beyond says nothing, but some must not.
            if (t.asked < std::min<std::size_t>(radii.size(), 2)) continue;
            all.push_back(std::move(t));
        }
    std::ranges::stable_sort(all, std::ranges::greater{}, &Trial::likelihood);
    if (all.empty() || static_cast<double>(all.front().explained) <
                           least_part * static_cast<double>(all.front().asked))
        return Error{
            Code::invalid_argument,
            fmt::format("no pixel size makes the {} rings those of the crystal (the best one "
                        "explains {}, and they are {}) check the crystal and the origins",
                        radii.size(), all.empty() ? 0 : all.front().explained, [&] {
                            std::string text;
                            for (std::size_t i = 0; i < std::min<std::size_t>(radii.size(), 12);
                                 ++i)
                                text += fmt::format("{}{:.2f}", i == 0 ? "" : ", ", radii[i]);
                            return text + " px";
                        }())};
    Trial const& best = all.front();
    Scale out{.pixel_size = best.scale, .rings = best.rings, .alternatives = {}};
    for (Trial const& t : all) {
        if (t.likelihood < best.likelihood - nearly) break;
        auto const alike = [&](double s) { return std::abs(std::log(t.scale / s)) < same_scale; };
        if (alike(best.scale) || std::ranges::any_of(out.alternatives, [&](auto const& a) {
                return alike(a.pixel_size);
            }))
            continue;
        out.alternatives.push_back({reading(t, radii, known), t.scale});
    }
    return out;
}

}  // namespace sluice::crystal
