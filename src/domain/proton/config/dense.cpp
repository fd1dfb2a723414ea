// The table of the dense mode.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/dense.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace sluice::proton {
namespace {

Status count(Table& table, std::string const& key, index& out) {
    auto value = static_cast<double>(out);
    SLUICE_CHECK(table.number(key, value));
    if (!(value >= 1 && value <= 1e6 && value == std::floor(value)))
        return table.error(fmt::format("{} = {} is no count; give a whole number", key, value));
    out = static_cast<index>(value);
    return {};
}

// One of several words.
template <class Value, std::size_t n>
Status choice(Table& table, std::string const& key,
              std::array<std::pair<char const*, Value>, n> const& all, Value& out) {
    std::string word, known;
    SLUICE_CHECK(table.text(key, word));
    if (word.empty()) return {};
    for (auto const& [name, value] : all) {
        if (word == name) {
            out = value;
            return {};
        }
        known += std::string(known.empty() ? "" : ", ") + name;
    }
    return table.error(fmt::format("there is no {} '{}'; give one of {}", key, word, known));
}

}  // namespace

Status read_dense(Table dense, Config& c) {
    DenseOptions o;
    SLUICE_CHECK(count(dense, "energies", o.energies));
    SLUICE_CHECK(dense.quantity("energy_min", Dimension::energy, o.energy_min));
    SLUICE_CHECK(dense.quantity("energy_max", Dimension::energy, o.energy_max));
    SLUICE_CHECK(choice(dense, "spacing",
                        std::array{std::pair{"range", EnergySpacing::range},
                                   std::pair{"uniform", EnergySpacing::uniform},
                                   std::pair{"logarithmic", EnergySpacing::logarithmic}},
                        o.spacing));
    SLUICE_CHECK(count(dense, "angles", o.angles));
    bool const has_window = dense.find("angle_window") != nullptr;
    SLUICE_CHECK(dense.quantity("angle_window", Dimension::angle, o.angle_window));
    SLUICE_CHECK(dense.quantity("step", Dimension::length, o.step));
    SLUICE_CHECK(
        choice(dense, "backward",
               std::array{std::pair{"reject", Backward::reject}, std::pair{"cap", Backward::cap},
                          std::pair{"allow", Backward::allow}},
               o.backward));
    // Only protons that turn back need all directions, for which the usual count is too few.
    constexpr double forward = 20 * std::numbers::pi / 180;
    if (!has_window && o.backward == Backward::reject) o.angle_window = forward;
    SLUICE_CHECK(dense.quantity("angle_cap", Dimension::angle, o.angle_cap));
    SLUICE_CHECK(dense.number("least_cosine", o.least_cosine));
    SLUICE_CHECK(dense.number("threshold", o.threshold));
    SLUICE_CHECK(dense.nothing_else());
    c.dense = o;
    return {};
}

}  // namespace sluice::proton
