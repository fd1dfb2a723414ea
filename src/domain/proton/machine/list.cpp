// Lists of a machine's energies: a header of names with units, and a line for each energy.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "domain/proton/list_lines.h"
#include "domain/proton/machine/energy.h"
#include "domain/proton/machine/files.h"

namespace sluice::proton {
namespace {

/// What a column of the list is for.
struct EnergyColumn {
    config::Field<EnergyKeys> const* key = nullptr;
    char axis = 0;  ///< x or y; 0: of both, or of neither
    std::string_view unit = {};
    std::string name = {};  ///< "sigma_x_mm"
};

// All that there may be, those with the usual units first.
std::vector<EnergyColumn> energy_columns() {
    std::vector<EnergyColumn> all;
    for (auto const& key : energy_fields()) {
        std::vector<std::string_view> units{""};
        if (key.dimension) units = config::units_of(*key.dimension);
        for (std::string_view const unit : units)
            for (std::string_view const axis : {"", "_x", "_y"})
                if (axis.empty() || key.kind == config::Kind::list)
                    all.push_back(
                        {&key, axis.empty() ? '\0' : axis[1], unit,
                         fmt::format("{}{}{}{}", key.name, axis, unit.empty() ? "" : "_", unit)});
    }
    return all;
}

/// Energies, line by line.
class EnergyLines {
  public:
    EnergyLines(std::string_view text, std::string const& name) : lines_(text, name) {}

    Result<std::vector<MachineEnergy>> read() {
        SLUICE_CHECK(read_header());
        std::vector<MachineEnergy> out;
        while (lines_.next()) {
            SLUICE_TRY(MachineEnergy one, read_line());
            if (auto order = check_order(out, one); !order)
                return lines_.wrong(order.error().message);
            out.push_back(std::move(one));
        }
        if (out.empty()) return lines_.wrong("no energy follows the header; give a line for each");
        return out;
    }

  private:
    ListLines lines_;
    std::vector<EnergyColumn> columns_;

    bool has(config::Field<EnergyKeys> const* key, char axis) const {
        return std::ranges::any_of(
            columns_, [&](EnergyColumn const& c) { return c.key == key && c.axis == axis; });
    }

    Status add_column(std::string_view name, std::vector<EnergyColumn> const& all) {
        auto const found = std::ranges::find(all, name, &EnergyColumn::name);
        if (found == all.end()) {
            std::vector<std::string> known;
            for (EnergyColumn const& c : all) known.push_back(c.name);
            return lines_.wrong(fmt::format(
                "there is no column '{}'; did you mean '{}'? (names end in their unit, except "
                "correlations, weights and protons_per_mu)",
                ListLines::shown(name), nearest(name, known)));
        }
        bool const twice = has(found->key, found->axis) ||
                           (found->axis == 0 ? has(found->key, 'x') || has(found->key, 'y')
                                             : has(found->key, '\0'));
        if (twice)
            return lines_.wrong(fmt::format("{} has two columns; leave one out", found->key->name));
        columns_.push_back(*found);
        return {};
    }

    Status read_header() {
        if (!lines_.next())
            return lines_.wrong(
                "no header; begin with the columns' names, as in "
                "nominal_MeV,spread_MeV,sigma_mm,divergence_mrad");
        static std::vector<EnergyColumn> const all = energy_columns();
        for (std::string_view const name : lines_.fields()) SLUICE_CHECK(add_column(name, all));
        for (auto const& key : energy_fields()) {
            if (has(&key, 'x') != has(&key, 'y'))
                return lines_.wrong(fmt::format(
                    "{0} has a column of one axis; give {0}_x and {0}_y, or one of both",
                    key.name));
            bool const there = has(&key, '\0') || has(&key, 'x');
            if (key.needed && !there)
                return lines_.wrong(
                    fmt::format("column {} is missing; add it",
                                std::ranges::find(all, &key, &EnergyColumn::key)->name));
        }
        return {};
    }

    // Texts of one key, x and y, with a comma between them.
    Result<MachineEnergy> read_line() {
        auto const fields = lines_.fields();
        if (fields.size() != columns_.size())
            return lines_.wrong(
                fmt::format("{} numbers for {} columns", fields.size(), columns_.size()));
        EnergyKeys keys;
        for (auto const& key : energy_fields()) {
            std::string texts[2];
            for (std::size_t i = 0; i < fields.size(); ++i) {
                EnergyColumn const& c = columns_[i];
                double number = 0;
                if (c.key != &key) continue;
                if (!config::read_value({key.name}, fields[i], number))
                    return lines_.wrong(fmt::format("'{}' is not a number for {}",
                                                    ListLines::shown(fields[i]), c.name));
                texts[c.axis == 'y'] = fmt::format("{}{}", fields[i], c.unit);
            }
            std::string const& x = texts[0];
            if (x.empty()) continue;
            if (auto s = key.set(keys, texts[1].empty() ? x : x + "," + texts[1]); !s)
                return lines_.wrong(s.error().message);
        }
        auto e = energy_of(keys);
        if (!e) return lines_.wrong(e.error().message);
        return e;
    }
};

}  // namespace

Result<std::vector<MachineEnergy>> parse_energy_list(std::string_view text,
                                                     std::string const& name) {
    return EnergyLines(text, name).read();
}

}  // namespace sluice::proton
