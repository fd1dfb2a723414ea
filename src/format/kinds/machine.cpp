// Machines of proton beams: our TOML files, MCsquare's beam models and matRad's base data.
// SPDX-License-Identifier: Apache-2.0
#include "format/kinds/machine.h"

#include "format/kinds/kinds.h"
#include "format/mat/mat.h"

namespace sluice {
namespace {

bool has_line(std::string_view text, std::string_view beginning) {
    for (std::size_t at = text.find(beginning); at != text.npos; at = text.find(beginning, at + 1))
        if (at == 0 || text[at - 1] == '\n') return true;
    return false;
}

// Version 7.3 is not read, and the reader says so.
bool is_new_machine(Look const& look) {
    if (!look.begins("MATLAB 7.3") || !look.hdf5()) return false;
    auto const found = look.hdf5()->find_link("machine");
    return found && found->has_value();
}

bool is_machine(Look const& look) {
    if (is_new_machine(look)) return true;
    std::string_view const head(reinterpret_cast<char const*>(look.head().data()),
                                look.head().size());
    if (mat::is_mat(look.head())) return mat::first_variable(look.head()) == "machine";
    if (is_beam_model(head)) return true;
    return look.ending() == ".toml" &&
           (has_line(head, "[[energy]]") || has_line(head, "[energies]"));
}

}  // namespace

bool is_beam_model(std::string_view head) {
    return has_line(head, "Nozzle exit to Isocenter distance") ||
           head.starts_with("--UPenn beam model") || head.starts_with("--Lookup table BDL");
}

constinit ContentKind const kinds::machine{"machine", "machine of proton beams",
                                           "TOML, matRad's base data, MCsquare's beam model",
                                           "`sluice info` reads it", is_machine};

}  // namespace sluice
