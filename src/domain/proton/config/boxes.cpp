// Boxes of material over a phantom.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "domain/proton/physics/tissue.h"

namespace sluice::proton {
namespace {

constexpr double tiny = 1e-6;  // mm, and of a plane's thickness

/// How much of a plane's thickness materials have, by their numbers.
using Parts = std::map<std::uint16_t, double>;

class Laying {
  public:
    Laying(std::span<Box const> boxes, double water, Phantom& phantom)
        : boxes_(boxes), water_(water), p_(phantom) {}

    Status plane(index k) {
        double const top = static_cast<double>(k) * p_.dz, bottom = top + p_.dz;
        here_.clear();
        cuts_ = {top, bottom};
        for (Box const& b : boxes_) {
            if (b.to <= top + tiny || b.from >= bottom - tiny) continue;
            here_.push_back(b);
            for (double const edge : {b.from, b.to})
                if (edge > top + tiny && edge < bottom - tiny) cuts_.push_back(edge);
        }
        if (here_.empty()) return {};
        std::ranges::sort(cuts_);
        std::uint16_t below = 0, number = 0;
        for (index i = 0; i < p_.columns; ++i) {
            std::uint16_t& cell = p_.map[static_cast<std::size_t>(k * p_.columns + i)];
            if (i == 0 || cell != below || begins_or_ends(i)) {
                below = cell;
                SLUICE_TRY(number, number_of(parts_of(i, below)));
            }
            cell = number;
        }
        return {};
    }

  private:
    /// Whether a column has other boxes over it than the one before.
    bool begins_or_ends(index column) const {
        return std::ranges::any_of(
            here_, [&](Box const& b) { return b.left == column || b.right == column; });
    }

    Parts parts_of(index column, std::uint16_t below) const {
        Parts parts;
        for (std::size_t n = 1; n < cuts_.size(); ++n) {
            double const z = (cuts_[n - 1] + cuts_[n]) / 2;
            auto const over = [&](Box const& b) {
                return b.from <= z && z < b.to && b.left <= column && column < b.right;
            };
            auto const box = std::find_if(here_.rbegin(), here_.rend(), over);
            double& part = parts[box == here_.rend() ? below : box->material];
            // So that planes alike have one mixture.
            part = std::round((part + (cuts_[n] - cuts_[n - 1]) / p_.dz) / tiny) * tiny;
        }
        return parts;
    }

    Result<std::uint16_t> number_of(Parts const& parts) {
        if (parts.size() == 1) return parts.begin()->first;
        auto const known = mixtures_.find(parts);
        if (known != mixtures_.end()) return known->second;
        if (p_.materials.size() > std::numeric_limits<std::uint16_t>::max())
            return Error{Code::unsupported,
                         "edges of media lie within planes of more than 65000 different "
                         "materials; move the edges to multiples of grid.dz"};
        Material all;
        double sum = 0;
        std::string name;
        for (auto const& [number, part] : parts) {
            Material const& m = p_.materials[number];
            sum += part;
            all = sum == part ? m : mixed(all, m, part / sum, water_);
            name += fmt::format("{}{:.3g} % {}", name.empty() ? "" : ", ", 100 * part, m.name);
        }
        all.name = std::move(name);
        p_.materials.push_back(std::move(all));
        auto const number = static_cast<std::uint16_t>(p_.materials.size() - 1);
        mixtures_.emplace(parts, number);
        return number;
    }

    std::span<Box const> boxes_;
    double water_;
    Phantom& p_;
    std::vector<Box> here_;     // of the plane
    std::vector<double> cuts_;  // and the depths between which it is alike
    std::map<Parts, std::uint16_t> mixtures_;
};

}  // namespace

bool lies_within(double edge, double dz) {
    return std::abs(edge - std::round(edge / dz) * dz) > tiny;
}

Status lay_boxes(std::span<Box const> boxes, double water, Phantom& phantom) {
    if (boxes.empty()) return {};
    if (phantom.map.empty())
        phantom.map.assign(static_cast<std::size_t>(phantom.planes * phantom.columns), 0);
    Laying laying(boxes, water, phantom);
    for (index k = 0; k < phantom.planes; ++k) SLUICE_CHECK(laying.plane(k));
    return {};
}

}  // namespace sluice::proton
