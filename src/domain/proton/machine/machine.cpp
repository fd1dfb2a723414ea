// Machines out of files: which kind a file is, and what holds for all kinds.
// SPDX-License-Identifier: Apache-2.0
#include "format/kinds/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "config/parse.h"
#include "domain/proton/machine/files.h"
#include "format/kinds/kinds.h"
#include "format/mat/mat.h"
#include "sluice/proton_machine.h"

namespace sluice::proton {
namespace {

// matRad's files have some MB.
constexpr std::uint64_t largest_file = 256 << 20, largest_text = 4 << 20;
// Comments may stand before the words of a beam model.
constexpr std::size_t bdl_head = 1 << 16;

Result<Machine> machine_of(std::string_view text, std::string const& name,
                           std::string const& folder) {
    Bytes const bytes = std::as_bytes(std::span(text));
    if (mat::is_mat(bytes)) return machine_of_mat(bytes, name);
    if (text.size() > largest_text)
        return Error{Code::unsupported,
                     "is larger than 4 MB (no machine's text is) give a TOML "
                     "file, matRad's base data or a beam model of MCsquare",
                     name};
    if (is_beam_model(text.substr(0, bdl_head))) return machine_of_bdl(text, name);
    return machine_of_toml(std::string(text), name, folder);
}

}  // namespace

Status check_machine(Machine const& m, std::string const& name) {
    constexpr double farthest = 1e6;
    for (double const s : m.source)
        if (!(s > 0 && s <= farthest))
            return Error{Code::invalid_argument,
                         fmt::format("a source {} mm from the isocentre; give more than 0, at most "
                                     "{:.0f}",
                                     s, farthest),
                         name};
    if (!(m.plane >= 0 && m.plane < std::min(m.source[0], m.source[1])))
        return Error{Code::invalid_argument,
                     fmt::format("spots {} mm above the isocentre; give 0 or more, less than the "
                                 "source's {}",
                                 m.plane, std::min(m.source[0], m.source[1])),
                     name};
    if (m.energies.empty())
        return Error{Code::invalid_argument, "has no energy; give at least one", name};
    auto const has_kernel = [](MachineEnergy const& e) { return !e.kernel.depth.empty(); };
    bool const all = std::ranges::all_of(m.energies, has_kernel);
    if (!all && std::ranges::any_of(m.energies, has_kernel))
        return Error{Code::invalid_argument,
                     "has depth doses of some energies (the others lack them); give all or none",
                     name};
    return {};
}

Result<Machine> read_machine(std::string const& path) {
    Look const look(path);
    // What nobody knows is read as TOML, which says what is wrong with it.
    ContentKind const* const kind = mat::is_mat(look.head()) ? nullptr : kind_of(look);
    if (!look.readable() || look.is_folder() || (kind && kind != &kinds::machine))
        return no_such_kind(look, kinds::machine);
    SLUICE_TRY(auto const bytes, read_file(path, largest_file));
    std::string const folder = std::filesystem::path(path).parent_path();
    return machine_of({reinterpret_cast<char const*>(bytes.data()), bytes.size()}, path,
                      folder.empty() ? "." : folder);
}

Result<Machine> parse_machine(std::string_view text, std::string const& name) {
    return machine_of(text, name, "");
}

}  // namespace sluice::proton
