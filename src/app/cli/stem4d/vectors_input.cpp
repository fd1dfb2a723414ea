// Reads disks, or finds them.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/vectors_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "format/kinds/kinds.h"

namespace sluice::cli {

void VectorsInput::add(Verb const& app) {
    search.add(app);
    app.add_option("--save-disks", save_disks, "file for the disks that are found in a scan");
}

bool is_vectors(DataOptions const& data) {
    return kind_of(data.paths.front()) == &kinds::vectors;
}

// Whoever gives disks hears that options of scans do nothing.
Status VectorsInput::refuse_options_of_scans(std::string const& file,
                                             std::vector<std::string> names) const {
    for (auto const& more : {DataOptions::names_of_scans(), DiskSearch::names()})
        names.insert(names.end(), more.begin(), more.end());
    names.insert(names.end(), {"--save-disks", "--search-all", "--preview", "--memory-limit"});
    for (Verb::Given const& one : given)
        if (std::ranges::find(names, one.option) != names.end())
            return Error{
                Code::invalid_argument,
                fmt::format("{} is for scans (this is a file of disks) leave it out", one.option),
                file};
    return {};
}

Result<DisksRead> VectorsInput::read(DataOptions& data, DiskSearch::Lattice const& lattice,
                                     std::string const& why_one, JobReport& report) const {
    if (is_vectors(data)) {
        std::string const& file = data.paths.front();
        SLUICE_CHECK(refuse_options_of_scans(file));
        if (data.paths.size() != 1)
            return Error{Code::invalid_argument,
                         fmt::format("is a file of disks ({}, and {} are named) name one", why_one,
                                     data.paths.size()),
                         file};
        DisksRead disks;
        SLUICE_TRY(disks.vectors, stem4d::load_vectors(file));
        return disks;
    }
    SLUICE_TRY(DisksMade made, search.find(data, lattice));
    report.notes = made.notes;
    report.notes.insert(report.notes.end(), made.setup.why.begin(), made.setup.why.end());
    for (std::string const& line : lines_of_reasons(made.counts))
        report.notes.push_back(fmt::format("no disks in {}", line));
    report.json["reasons"] = reasons_of(made.counts);
    report.json["template"] = {{"radius", made.setup.probe.radius},
                               {"edge_width", made.setup.probe.edge_width},
                               {"source", made.setup.probe.source}};
    if (!save_disks.empty()) {
        SLUICE_CHECK(stem4d::save_vectors(save_disks, made.vectors));
        report.files.push_back(save_disks);
    }
    if (!search.source.save.empty()) report.files.push_back(search.source.save);
    DisksRead disks{std::move(made.vectors), std::move(made.fit), {}, made.scan_step_nm};
    if (made.setup.lattice) disks.basis = made.setup.lattice->basis;
    return disks;
}

}  // namespace sluice::cli
