// Reads the symmetry operations of a CIF, or takes those of the space group that it names.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/cif/operations.h"

#include <fmt/format.h>

#include <cmath>

#include "domain/crystal/cif/space_group.h"
#include "domain/crystal/cif/symmetry.h"

namespace sluice::crystal::cif {
namespace {

using stem4d::UnitCell;

constexpr std::size_t most_operations = 1024;

Status read_list(std::vector<std::string_view> const& texts, UnitCell& cell) {
    if (texts.size() > most_operations)
        return Error{
            Code::corrupt,
            fmt::format("there are {} symmetry operations (at most 1024 can be)", texts.size())};
    for (std::string_view text : texts) {
        auto const operation = parse_operation(text);
        if (!operation)
            return Error{Code::corrupt,
                         fmt::format("the symmetry operation '{}' is not understood; write it as "
                                     "in -x,y+1/2,-z",
                                     text.substr(0, 40))};
        cell.operations.push_back(*operation);
    }
    return {};
}

std::string_view first_of(Block const& block, std::initializer_list<std::string_view> keys) {
    for (std::string_view key : keys)
        if (auto const* found = block.find(key); found && !found->empty())
            if (found->front() != "?" && found->front() != ".") return found->front();
    return {};
}

NamedGroup named_group(Block const& block) {
    NamedGroup out;
    out.name = first_of(block, {"_space_group_name_h-m_alt", "_symmetry_space_group_name_h-m",
                                "_space_group_name_h-m", "_space_group_name_h-m_ref"});
    auto const number =
        number_of(first_of(block, {"_space_group_it_number", "_symmetry_int_tables_number"}));
    if (number && *number >= 1 && *number <= 230 && *number == std::floor(*number))
        out.number = static_cast<int>(*number);
    std::string_view const code = first_of(block, {"_space_group_it_coordinate_system_code"});
    if (code.size() == 1) out.choice = code[0];
    return out;
}

}  // namespace

Status read_operations(Block const& block, UnitCell& cell, bool& whole) {
    auto const* const texts =
        block.find({"_space_group_symop_operation_xyz", "_symmetry_equiv_pos_as_xyz"});
    whole = true;
    if (texts && !texts->empty()) return read_list(*texts, cell);
    NamedGroup const group = named_group(block);
    if (group.name.empty() && group.number == 0) {
        cell.notes.emplace_back(
            "the CIF states no symmetry: no reflection is taken as absent for it");
        cell.operations = centring_of('P');
        return {};
    }
    auto setting = choose_setting(group, block, cell);
    if (setting) {
        cell.operations = std::move(setting->operations);
        return {};
    }
    whole = false;
    cell.operations = centring_of(group.name.empty() ? 'P' : group.name.front());
    return {};
}

}  // namespace sluice::crystal::cif
