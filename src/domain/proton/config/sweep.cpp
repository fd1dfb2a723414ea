// Sweeps: every combination of what the keys of a beam are to be.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "domain/proton/config/beams.h"

namespace sluice::proton {
namespace {

constexpr double most_beams = 100000;

/// A key of the sweep.
struct SweptKey {
    std::string const& file;
    BeamKey const& key;
    std::string full() const { return fmt::format("sweep.{}", key.name); }

    Result<double> one(toml::value const& v) const {
        if (!key.dimension) {
            if (v.is_floating()) return v.as_floating();
            if (v.is_integer()) return static_cast<double>(v.as_integer());
            return wrong(file, v, full() + " is not a number");
        }
        if (!v.is_string())
            return wrong(file, v,
                         fmt::format("{} has no unit; write for example \"{}\"", full(),
                                     example_of(*key.dimension)));
        auto q = parse_quantity(v.as_string().str, *key.dimension);
        if (!q) return wrong(file, v, full() + " " + q.error().message);
        return q;
    }

    // {from, to, count}, both ends included.
    Result<std::vector<double>> steps(toml::value const& v) const {
        Table table(file, v, full());
        double count = 0;
        for (char const* const k : {"from", "to", "count"}) SLUICE_CHECK(table.need(k));
        SLUICE_TRY(double const from, one(*table.find("from")));
        SLUICE_TRY(double const to, one(*table.find("to")));
        SLUICE_CHECK(table.number("count", count));
        SLUICE_CHECK(table.nothing_else());
        if (!(count >= 2 && count <= most_beams && count == std::floor(count)))
            return table.error(fmt::format("{}.count is {}; give a whole number from 2 to {}",
                                           full(), count, most_beams));
        std::vector<double> out;
        for (double i = 0; i < count; ++i) out.push_back(from + (to - from) * i / (count - 1));
        return out;
    }

    Result<std::vector<double>> values(toml::value const& v) const {
        if (v.is_table()) return steps(v);
        std::vector<double> out;
        if (!v.is_array()) {
            SLUICE_TRY(out.emplace_back(), one(v));
            return out;
        }
        if (v.as_array().empty()) return wrong(file, v, full() + " is an empty list");
        for (toml::value const& each : v.as_array()) {
            SLUICE_TRY(out.emplace_back(), one(each));
        }
        return out;
    }
};

}  // namespace

Result<std::vector<Beam>> read_sweep(std::string const& file, toml::value const& sweep) {
    Table table(file, sweep, "sweep");
    std::vector<BeamNumbers> all = {usual_beam()};
    for (std::size_t i = 0; i < beam_keys.size(); ++i) {
        std::string const name(beam_keys[i].name);
        if (beam_keys[i].needed) SLUICE_CHECK(table.need(name));
        toml::value const* const v = table.find(name);
        if (!v) continue;
        SweptKey const axis{file, beam_keys[i]};
        SLUICE_TRY(std::vector<double> const values, axis.values(*v));
        if (static_cast<double>(all.size()) * static_cast<double>(values.size()) > most_beams)
            return wrong(
                file, *v,
                fmt::format("the sweep has more than {} beams; make it coarser", most_beams));
        std::vector<BeamNumbers> more;
        for (BeamNumbers n : all)
            for (double const value : values) {
                n[i] = value;
                more.push_back(n);
            }
        all = std::move(more);
    }
    SLUICE_CHECK(table.nothing_else());
    std::vector<Beam> out;
    for (BeamNumbers const& n : all) {
        auto const b = beam_of(n);
        if (!b) return table.error("sweep has " + b.error().message);
        out.push_back(*b);
    }
    return out;
}

}  // namespace sluice::proton
