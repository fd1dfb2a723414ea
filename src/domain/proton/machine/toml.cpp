// Machines out of TOML files.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "config/parse.h"
#include "config/read_fields.h"
#include "domain/proton/machine/energy.h"
#include "domain/proton/machine/files.h"

namespace sluice::proton {
namespace {

using config::Dimension;
using config::field;
using config::quantity_field;
using config::Table;

/// The keys above all tables.
struct TopKeys {
    std::string name;
    std::vector<double> source;
    double plane = 0;
    bool air_included = false;
};
constexpr config::Field<TopKeys> of_top[] = {
    field<&TopKeys::name>("name", "what reports call it").required(),
    quantity_field<&TopKeys::source, Dimension::length>(
        "source", "from the virtual source to the isocentre; or two, of x and y")
        .required(),
    quantity_field<&TopKeys::plane, Dimension::length>(
        "plane", "from the isocentre up to where sigma, divergence and correlation hold")
        .required(),
    field<&TopKeys::air_included>("air_included", "the moments know of the air behind the plane"),
};

constexpr config::Field<MachineShifter> of_shifter[] = {
    field<&MachineShifter::name>("name", "as plans name it").required(),
    quantity_field<&MachineShifter::water, Dimension::length>("water",
                                                              "as much water stops as much")
        .required(),
};

struct EnergyList {
    std::string file;
};
constexpr config::Field<EnergyList> of_energy_list[] = {
    field<&EnergyList::file>("file", "a list of energies, beside the machine's file").required(),
};

template <class T>
Result<T> read_table(Table table, config::Fields<T> fields) {
    T keys{};
    SLUICE_CHECK(config::read_fields(table, fields, keys));
    SLUICE_CHECK(table.nothing_else());
    return keys;
}

Result<MachineShifter> read_shifter(Table const& table, std::vector<MachineShifter> const& before) {
    SLUICE_TRY(MachineShifter s, read_table<MachineShifter>(table, of_shifter));
    if (!(s.water > 0 && s.water < 1e4))
        return table.error(fmt::format("shifter.water is {} mm; give more than 0", s.water));
    if (before.size() >= 1000) return table.error("more than 1000 shifters; leave some out");
    if (std::ranges::find(before, s.name, &MachineShifter::name) != before.end())
        return table.error(fmt::format("shifter '{}' is there twice; leave one out", s.name));
    return s;
}

Status read_energy(Table const& table, Machine& m, std::size_t& without_mean) {
    SLUICE_TRY(EnergyKeys const keys, read_table<EnergyKeys>(table, energy_fields()));
    auto e = energy_of(keys);
    if (!e) return table.error("energy: " + e.error().message);
    if (auto order = check_order(m.energies, *e); !order)
        return table.error("energy: " + order.error().message);
    without_mean += !keys.mean;
    m.energies.push_back(*std::move(e));
    return {};
}

Status read_list(Table const& table, std::string const& folder, Machine& m) {
    SLUICE_TRY(EnergyList const list, read_table<EnergyList>(table, of_energy_list));
    if (folder.empty())
        return table.error(fmt::format(
            "energies.file '{}' lies beside the machine's file, and this text has none; write it "
            "into a file",
            list.file));
    std::string const path = (std::filesystem::path(folder) / list.file).lexically_normal();
    constexpr std::uint64_t most = 4 << 20;
    SLUICE_TRY(auto const bytes, read_file(path, most));
    SLUICE_TRY(m.energies, parse_energy_list(
                               {reinterpret_cast<char const*>(bytes.data()), bytes.size()}, path));
    return {};
}

Status read_energies(Table& root, std::string const& folder, Machine& m) {
    SLUICE_TRY(toml::value const* const each, config::table_at(root, "energy", true));
    SLUICE_TRY(toml::value const* const list, config::table_at(root, "energies", false));
    if (each && list) return root.error("has [[energy]] and [energies]; give one of them");
    if (list) return read_list(Table(root.file(), *list, "energies"), folder, m);
    if (!each)
        return root.error(
            "energy is missing; begin each with [[energy]], or name a list of them in "
            "[energies]");
    std::size_t without_mean = 0;
    for (toml::value const& one : each->as_array())
        SLUICE_CHECK(read_energy(Table(root.file(), one, "energy"), m, without_mean));
    if (without_mean > 0)
        m.notes.push_back(
            fmt::format("Of {} of {} energies the file has no mean; the nominal energy is taken.",
                        without_mean, m.energies.size()));
    return {};
}

}  // namespace

Result<Machine> machine_of_toml(std::string const& text, std::string const& name,
                                std::string const& folder) {
    SLUICE_TRY(toml::value const value, config::parse(text, name));
    Table root(name, value, "");
    TopKeys top;
    SLUICE_CHECK(config::read_fields<TopKeys>(root, of_top, top));
    if (top.source.size() > 2)
        return root.error(
            fmt::format("source has {} values; give one, or two of x and y", top.source.size()));
    Machine m{.name = top.name,
              .source = {top.source.front(), top.source.back()},
              .plane = top.plane,
              .air_included = top.air_included};
    SLUICE_TRY(toml::value const* const shifters, config::table_at(root, "shifter", true));
    if (shifters)
        for (toml::value const& s : shifters->as_array()) {
            SLUICE_TRY(m.shifters.emplace_back(),
                       read_shifter(Table(name, s, "shifter"), m.shifters));
        }
    SLUICE_CHECK(read_energies(root, folder, m));
    SLUICE_CHECK(root.nothing_else());
    SLUICE_CHECK(check_machine(m, name));
    return m;
}

}  // namespace sluice::proton
