// Settings of named space groups: which axes, which origin.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/cif/space_group.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/crystal/cif/atoms.h"
#include "domain/crystal/cif/metric.h"

namespace sluice::crystal::cif {
namespace {

using stem4d::UnitCell;

char large(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

// ICSD writes the choice as a last letter: S and Z are the first and the second origin.
NamedGroup without_suffix(NamedGroup group) {
    std::size_t const n = group.name.size();
    if (n < 4 || group.name[n - 2] != ' ') return group;
    char const last = group.name[n - 1];
    if (last != 'S' && last != 'Z' && last != 'H' && last != 'R') return group;
    group.name = group.name.substr(0, n - 2);
    group.choice = last == 'S' ? '1' : last == 'Z' ? '2' : last;
    return group;
}

template <class Condition>
void keep(std::vector<GroupSetting>& all, Condition const& condition) {
    std::erase_if(all, [&](GroupSetting const& one) { return !condition(one); });
}
// Where none is left, the condition says nothing.
template <class Condition>
void prefer(std::vector<GroupSetting>& all, Condition const& condition) {
    if (std::ranges::any_of(all, condition)) keep(all, condition);
}

std::vector<GroupSetting> candidates(NamedGroup const& group) {
    auto all = settings_by_name(group.name);
    if (all.empty() && group.number > 0) all = settings_by_number(group.number);
    return all;
}

std::string words_of(NamedGroup const& group) {
    if (group.name.empty()) return fmt::format("number {}", group.number);
    return std::string(group.name.substr(0, 20));
}

}  // namespace

std::optional<GroupSetting> choose_setting(NamedGroup const& stated, Block const& block,
                                           UnitCell& cell) {
    NamedGroup const group = without_suffix(stated);
    auto all = candidates(group);
    if (all.empty()) {
        cell.notes.push_back(fmt::format(
            "the CIF names its space group, {}, without its operations, and no table has that "
            "name: only what its letter forbids is taken as absent, and its atoms are left out; "
            "list the operations",
            words_of(stated)));
        return {};
    }
    keep(all, [&](GroupSetting const& s) { return fits_axes(cell, s.operations); });
    if (all.empty()) {
        cell.notes.push_back(
            fmt::format("the space group of the CIF, {}, does not fit its lengths and angles: only "
                        "what its letter forbids is taken as absent, and its atoms are left out; "
                        "mend the CIF",
                        words_of(stated)));
        return {};
    }
    prefer(all, [&](GroupSetting const& s) { return s.choice == large(group.choice); });
    std::size_t const before = all.size();
    prefer(all, [&](GroupSetting const& s) { return fits_multiplicities(block, s.operations); });
    bool const told = all.size() < before;
    bool const open = all.size() > 1;
    // The second origin is an inversion: the standard of the International Tables, and of most.
    prefer(all, [](GroupSetting const& s) { return s.choice == '2' || s.choice == 'H'; });
    GroupSetting& chosen = all.front();
    cell.notes.push_back(fmt::format(
        "the CIF names its space group, {}, without its operations: those of {} are taken{}",
        words_of(stated), chosen.name,
        open ? ", a guess, since nothing tells its origin; if it is the other, list the operations"
        : told ? ", which fits the multiplicities of the atoms"
               : ""));
    if (group.number > 0 && chosen.number != group.number)
        cell.notes.push_back(
            fmt::format("the CIF also says number {}, but {} is number {}: the "
                        "name is taken",
                        group.number, chosen.name, chosen.number));
    return std::move(chosen);
}

}  // namespace sluice::crystal::cif
