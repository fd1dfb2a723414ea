// `sluice stem4d disks`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/disk_search.h"
#include "app/cli/stem4d/strain_input.h"
#include "domain/crystal/fields.h"

namespace sluice::cli {
namespace {

struct DisksCommand {
    DataOptions data;
    DiskSearch search;
    DiskSearch::Lattice lattice;
    DiskPreview preview;
    std::string out;
    bool force = false;
};

Status check_out(DisksCommand const& c) {
    std::error_code none;
    if (c.force || !std::filesystem::exists(c.out, none)) return {};
    return Error{Code::invalid_argument,
                 "is there already (it would be replaced) give another name, or --force", c.out};
}

Json json_of(DisksMade const& made, std::vector<std::string> const& files) {
    auto const& [probe, options, background, lattice, why] = made.setup;
    Json j;
    j["scan"] = made.scan;
    j["template"] = {
        {"radius", probe.radius},          {"radius_error", made.probe.radius_error},
        {"edge_width", probe.edge_width},  {"edge_width_error", made.probe.edge_width_error},
        {"residual", made.probe.residual}, {"source", probe.source}};
    for (auto const& [name, text] : config::texts_of(options, stem4d::disk_fields()))
        j["options"][name] = text;
    j["background"] = background.size() > 0 ? "shape" : "plane";
    if (lattice) j["lattice"] = basis_json(lattice->basis);
    j["why"] = why;
    j["patterns"] = made.counts.patterns();
    j["disks"] = made.counts.disks;
    j["reasons"] = reasons_of(made.counts);
    j["notes"] = made.notes;
    j["files"] = files;
    j["seconds"] = made.seconds;
    return j;
}

void print_text(DisksMade const& made, std::vector<std::string> const& files) {
    print_line("template", made.setup.probe.source);
    stem4d::WrittenVectors const& v = made.counts;
    print_line("disks",
               fmt::format("{} in {} patterns, {:.1f} in each", v.disks, v.patterns(),
                           static_cast<double>(v.disks) / static_cast<double>(v.patterns())));
    for (std::string const& line : lines_of_reasons(v)) print_line("none in", line);
    for (std::string const& sentence : made.setup.why) say("decided: {}\n", sentence);
    for (std::string const& note : made.notes) say("note: {}\n", note);
    for (std::string const& file : files) say("{}\n", file);
    say("{:.2f} s\n", made.seconds);
}

Status run(DisksCommand& c) {
    c.lattice.known |= c.lattice.basis.has_value();
    SLUICE_CHECK(c.data.expect_processor());
    if (c.preview.wanted())
        return c.search.preview(c.preview, std::filesystem::path(c.out).replace_extension(), c.data,
                                c.lattice);
    SLUICE_CHECK(check_out(c));
    SLUICE_TRY(DisksMade const made, c.search.find_to(c.out, c.data, c.lattice));
    std::vector<std::string> files = {c.out};
    if (!c.search.source.save.empty()) files.push_back(c.search.source.save);
    SLUICE_CHECK(c.data.common.trace.save("unit", files));
    if (c.data.common.json)
        say("{}\n", text_of(json_of(made, files)));
    else
        print_text(made, files);
    return {};
}

}  // namespace

void add_disks(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("disks", "Bragg disks of every pattern, with errors");
    auto const c = std::make_shared<DisksCommand>();
    c->data.add(*app);
    app->add_option("--out", c->out, "file of the disks")->required();
    app->add_flag("--force", c->force, "replace the file if it is there");
    c->search.add(app);
    app->add_flag("--known-lattice", c->lattice.known,
                  "fit disks at the points of the lattice that a sample of patterns shows, and "
                  "search only patterns that lie off it");
    app->add_option("--basis", c->lattice.basis,
                    "vectors of that lattice, A_ROW:A_COL,B_ROW:B_COL in pixels [found]");
    c->preview.add(app);
    CommonUse use = DataOptions::use();
    use.trace = applies();
    c->data.common.add(app, use);
    app->footer(
        "Examples:\n"
        "  sluice stem4d disks scan_master.h5 --out disks.npy\n"
        "  sluice stem4d disks scan_master.h5 --vacuum vacuum_master.h5 --save-template probe.json "
        "--out disks.npy\n"
        "  sluice stem4d disks scan_master.h5 --template probe.json --stream --out disks.npy\n"
        "  sluice stem4d disks scan_master.h5 --template-radius 8,1.2 --least-score 16 --json "
        "--out "
        "disks.npy\n"
        "  sluice stem4d disks scan_master.h5 --known-lattice --out disks.h5\n"
        "  sluice stem4d disks scan_master.h5 --preview 0,0 --preview 12,40 --out disks.h5");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
