// Space groups and their settings, out of gemmi's table.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <exception>
#include <gemmi/symmetry.hpp>

#include "domain/crystal/gemmi/tables.h"

namespace sluice::crystal {
namespace {

stem4d::SymmetryOperation converted(gemmi::Op const& from) {
    stem4d::SymmetryOperation to;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) to.turn[i][j] = from.rot[i][j] / gemmi::Op::DEN;
        to.shift[i] = static_cast<double>(from.tran[i]) / gemmi::Op::DEN;
    }
    return to;
}

gemmi::Op converted(stem4d::SymmetryOperation const& from) {
    gemmi::Op to{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) to.rot[i][j] = from.turn[i][j] * gemmi::Op::DEN;
        // Within a cell, so that no shift is too large for a whole number.
        double const part = from.shift[i] - std::floor(from.shift[i]);
        to.tran[i] = static_cast<int>(std::lround(part * gemmi::Op::DEN));
    }
    return to.wrap();
}

// gemmi throws where its own table is wrong: such a setting is left out.
void add(gemmi::SpaceGroup const& group, std::vector<GroupSetting>& into) {
    try {
        GroupSetting setting;
        setting.number = group.number;
        setting.name = group.xhm();
        setting.choice = group.ext;
        setting.standard = group.is_reference_setting();
        for (gemmi::Op const& op : group.operations()) setting.operations.push_back(converted(op));
        into.push_back(std::move(setting));
    } catch (std::exception const&) {
        return;
    }
}

// All choices of origin and axes that share a name.
std::vector<GroupSetting> choices_of(gemmi::SpaceGroup const& one) {
    std::vector<GroupSetting> out;
    for (gemmi::SpaceGroup const& other : gemmi::spacegroup_tables::main)
        if (other.number == one.number && std::strcmp(other.hm, one.hm) == 0) add(other, out);
    return out;
}

}  // namespace

std::vector<GroupSetting> settings_by_name(std::string_view name) {
    // A digit would be taken as a number in the list of another program.
    if (name.empty() || name.size() > 40 || (name[0] >= '0' && name[0] <= '9')) return {};
    auto const* const found = gemmi::find_spacegroup_by_name(std::string(name));
    if (!found) return {};
    if (name.find(':') == std::string_view::npos) return choices_of(*found);
    std::vector<GroupSetting> out;
    add(*found, out);
    return out;
}

std::vector<GroupSetting> settings_by_number(int number) {
    for (gemmi::SpaceGroup const& group : gemmi::spacegroup_tables::main)
        if (group.number == number && group.is_reference_setting()) return choices_of(group);
    return {};
}

int number_of_group(std::vector<stem4d::SymmetryOperation> const& operations) {
    if (operations.empty() || operations.size() > 192) return 0;
    try {
        std::vector<gemmi::Op> all;
        for (auto const& one : operations) all.push_back(converted(one));
        auto const* const found =
            gemmi::find_spacegroup_by_ops(gemmi::split_centering_vectors(all));
        return found ? found->number : 0;
    } catch (std::exception const&) {
        return 0;
    }
}

}  // namespace sluice::crystal
