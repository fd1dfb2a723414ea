// Sweeps: every combination of what the keys of a beam are to be.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/proton/config/beams.h"

namespace sluice::proton {
namespace {

using Texts = std::vector<std::string>;

/// A key of the sweep. Its values are texts of its field, which have the bits of the numbers.
struct SweptKey {
    Table const& sweep;
    config::Field<BeamKeys> const& key;
    std::string full() const { return sweep.full(std::string(key.name)); }

    Result<std::string> one(toml::value const& v) const {
        BeamKeys any;
        SLUICE_CHECK(read_field(sweep, key, v, any));
        return key.text(any);
    }

    Status number(std::string_view name, std::string_view text, double& out) const {
        std::string const shown = fmt::format("{}.{}", full(), name);
        if (key.dimension) return config::read_quantity({shown}, text, *key.dimension, out);
        return config::read_value({shown}, text, out);
    }

    Result<Texts> steps(toml::value const& v) const {
        Table table(sweep.file(), v, full());
        SweepSteps s;
        SLUICE_CHECK(read_fields(table, sweep_step_fields(), s));
        SLUICE_CHECK(table.nothing_else());
        double from = 0, to = 0;
        auto read = number("from", s.from, from);
        if (read) read = number("to", s.to, to);
        if (!read) return table.error(read.error().message);
        Texts out;
        auto const count = static_cast<double>(s.count);
        for (double i = 0; i < count; ++i) {
            double const value = from + (to - from) * i / (count - 1);
            out.push_back(key.dimension ? config::quantity_text(value, *key.dimension)
                                        : config::value_text(value));
        }
        return out;
    }

    Result<Texts> values(toml::value const& v) const {
        if (v.is_table()) return steps(v);
        Texts out;
        if (!v.is_array()) {
            SLUICE_TRY(out.emplace_back(), one(v));
            return out;
        }
        if (v.as_array().empty()) return wrong(sweep.file(), v, full() + " is an empty list");
        for (toml::value const& each : v.as_array()) {
            SLUICE_TRY(out.emplace_back(), one(each));
        }
        return out;
    }
};

}  // namespace

Result<std::vector<Beam>> read_sweep(std::string const& file, toml::value const& sweep) {
    Table table(file, sweep, "sweep");
    std::vector<BeamKeys> all(1);
    for (auto const& key : beam_fields()) {
        std::string const name(key.name);
        if (key.needed) SLUICE_CHECK(table.need(name));
        toml::value const* const v = table.find(name);
        if (!v) continue;
        SweptKey const axis{table, key};
        SLUICE_TRY(Texts const values, axis.values(*v));
        if (all.size() * values.size() > most_beams)
            return wrong(
                file, *v,
                fmt::format("the sweep has more than {} beams; make it coarser", most_beams));
        std::vector<BeamKeys> more;
        for (BeamKeys beam : all)
            for (std::string const& value : values) {
                if (auto s = key.set(beam, value); !s) return wrong(file, *v, s.error().message);
                more.push_back(beam);
            }
        all = std::move(more);
    }
    SLUICE_CHECK(table.nothing_else());
    std::vector<Beam> out;
    for (BeamKeys const& keys : all) {
        auto const b = beam_of(keys);
        if (!b) return table.error("sweep has " + b.error().message);
        out.push_back(*b);
    }
    return out;
}

}  // namespace sluice::proton
