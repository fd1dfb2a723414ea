// The readers of a machine's files, one for each kind.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/proton_machine.h"
#include "sluice/view.h"

namespace sluice::proton {

/// `folder` is where a list lies that the text names; empty: the text is no file, and has none.
Result<Machine> machine_of_toml(std::string const& text, std::string const& name,
                                std::string const& folder);
/// The energies of a list: a header of columns, a line for each.
Result<std::vector<MachineEnergy>> parse_energy_list(std::string_view text,
                                                     std::string const& name);
/// A beam model of MCsquare.
Result<Machine> machine_of_bdl(std::string_view text, std::string const& name);
/// Base data of matRad.
Result<Machine> machine_of_mat(Bytes bytes, std::string const& name);

/// What is the same for all kinds: distances, and that there are energies.
Status check_machine(Machine const& machine, std::string const& name);

}  // namespace sluice::proton
