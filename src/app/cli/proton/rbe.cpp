// sluice proton rbe: a dose weighted by RBE, out of the physical one and LET.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "app/cli/proton/command.h"
#include "app/cli/proton/structures.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "base/of_file.h"
#include "domain/proton/config/fields.h"
#include "domain/proton/words.h"
#include "sluice/dicom.h"
#include "sluice/load_volume.h"
#include "sluice/proton_volume.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string dose, let, out, map, structures;
    std::vector<std::string> tissues;
    proton::RbeOptions options;
    CommonOptions common;
};

Error bad(std::string text) {
    return {Code::invalid_argument, std::move(text)};
}

struct NamedTissue {
    std::string name;
    double alpha_beta = 0;
};

Result<NamedTissue> tissue_of(std::string const& text) {
    std::size_t const at = text.rfind('=');
    NamedTissue t{text.substr(0, at), 0};
    if (at != std::string::npos) {
        char const *const from = text.data() + at + 1, *const end = text.data() + text.size();
        auto const [stop, problem] = std::from_chars(from, end, t.alpha_beta);
        if (problem == std::errc() && stop == end && t.alpha_beta > 0) return t;
    }
    return bad(fmt::format("--alpha-beta-of is '{}'; give NAME=GY, as in \"PTV=10\"", text));
}

/// What alpha/beta is where, for people, and its map if it is not the same everywhere.
struct Tissues {
    std::string text = {};
    std::string short_text = {};  ///< for the 64 letters of DICOM, none of them a backslash
    std::optional<Volume> map = {};
};

Result<Tissues> tissues_of(Command const& c, Volume const& dose) {
    std::string const elsewhere = fmt::format("{:g} Gy", c.options.alpha_beta);
    if (!c.map.empty()) {
        SLUICE_TRY(Volume map, load_volume(c.map));
        return Tissues{"out of " + c.map, "by a map", std::move(map)};
    }
    if (c.tissues.empty()) return Tissues{elsewhere, elsewhere};
    SLUICE_TRY(NamedStructures const set, read_named_structures(c.structures));
    SLUICE_TRY(bool const checked, check_coordinates(c.dose, set));
    if (!checked)
        say(stderr,
            "sluice: warning: {} or {} does not tell its coordinates (FrameOfReferenceUID); they "
            "are taken to be the same\n",
            c.dose, c.structures);
    Tissues out{elsewhere};
    std::vector<proton::Tissue> tissues;
    for (std::string const& text : c.tissues) {
        SLUICE_TRY(NamedTissue const t, tissue_of(text));
        SLUICE_TRY(auto const found, chosen(set, {t.name}));
        for (NamedStructure const* s : found) {
            tissues.push_back({&s->structure, t.alpha_beta});
            out.text += fmt::format(", {} {:g} Gy", s->name, t.alpha_beta);
        }
    }
    out.short_text = out.text.size() <= 36 && out.text.find('\\') == std::string::npos
                         ? out.text
                         : fmt::format("{}, other in {} structures", elsewhere, tissues.size());
    SLUICE_TRY(out.map,
               of_file(c.structures, proton::alpha_beta_map(dose, c.options.alpha_beta, tissues)));
    return out;
}

std::string model_of(Command const& c) {
    return std::string(config::word_of(c.options.model));
}

Status save(Command const& c, Volume const& dose, Tissues const& tissues) {
    bool const constant = c.options.model == proton::RbeModel::constant;
    std::string const comment =
        constant ? "RBE: constant, 1.1"
                 : fmt::format("RBE: {}; alpha/beta {}", model_of(c), tissues.short_text);
    if (c.out.ends_with(".npy")) return save_npy(c.out, dose.image);
    if (c.out.ends_with(".dcm")) {
        SLUICE_TRY(DicomReference const of, reference_of_dose(c.dose));
        return save_dicom_dose(
            c.out, dose, of,
            {.effective = true, .description = "RBE-weighted dose", .comment = comment});
    }
    std::vector<std::string> sources = {c.dose};
    if (!c.let.empty()) sources.push_back(c.let);
    Volume told = dose;
    told.content += "; " + comment;
    if (c.out.ends_with(".nrrd")) return save_nrrd(c.out, told, provenance_of(sources));
    return save_metaimage(c.out, told);
}

double sum_of(Volume const& v) {
    double sum = 0;
    for (float const d : v.image.values) sum += static_cast<double>(d);
    return sum;
}

void tell(Command const& c, Volume const& dose, Volume const& weighted, Tissues const& tissues) {
    double const before = sum_of(dose), mean = before > 0 ? sum_of(weighted) / before : 0;
    double const most = proton::value_range(weighted).most,
                 most_before = proton::value_range(dose).most;
    bool const constant = c.options.model == proton::RbeModel::constant;
    if (!c.common.json) {
        say("{}{}: highest dose {:.4g} Gy (physical {:.4g}), mean RBE {:.4g}\n", model_of(c),
            constant ? "" : ", alpha/beta " + tissues.text, most, most_before, mean);
        return;
    }
    Json j = {{"dose", c.dose}, {"let", c.let}, {"model", model_of(c)}};
    if (!constant) {
        j["alpha_beta"] = tissues.text;
        j["fractions"] = c.options.fractions;
    }
    j["most_gy"] = most;
    j["most_physical_gy"] = most_before;
    j["mean_rbe"] = mean;
    j["out"] = c.out;
    say("{}\n", text_of(j));
}

Status check(Command const& c, std::vector<Verb::Given> const& given) {
    auto const has = [&](std::string_view option) {
        return std::ranges::find(given, option, &Verb::Given::option) != given.end();
    };
    if (c.options.model == proton::RbeModel::constant) {
        for (auto const* option :
             {"--alpha-beta", "--alpha-beta-of", "--alpha-beta-map", "--fractions", "--structures"})
            if (has(option))
                return bad(
                    fmt::format("{} does not apply to the constant model (it is 1.1 of any "
                                "dose) leave it out, or give another --model",
                                option));
    } else if (c.let.empty()) {
        return bad(
            fmt::format("the model {} needs LET; give a file of it behind the dose", model_of(c)));
    }
    if (has("--alpha-beta-map") && (has("--alpha-beta") || has("--alpha-beta-of")))
        return bad("--alpha-beta-map says alpha/beta of all elements; leave the others out");
    if (c.tissues.empty() != c.structures.empty())
        return bad("--alpha-beta-of names structures of --structures; give both or none");
    for (auto const* ending : {".npy", ".dcm", ".nrrd", ".mha", ".mhd"})
        if (c.out.ends_with(ending)) return {};
    return Error{Code::invalid_argument,
                 "has no ending that says its format; end it in .dcm, .nrrd, .mha, .mhd or .npy",
                 c.out};
}

Status run(Command const& c, std::vector<Verb::Given> const& given) {
    SLUICE_CHECK(check(c, given));
    SLUICE_TRY(Volume const dose, load_volume(c.dose));
    if (dose.content.ends_with("HU"))
        return Error{Code::invalid_argument, "is a CT, not a dose; give a dose", c.dose};
    Volume let;
    if (!c.let.empty()) {
        SLUICE_TRY(let, load_volume(c.let));
    }
    SLUICE_TRY(Tissues const tissues, tissues_of(c, dose));
    SLUICE_TRY(Volume const weighted,
               of_file(c.dose, proton::rbe_dose(dose, let, c.options,
                                                tissues.map ? &*tissues.map : nullptr)));
    SLUICE_CHECK(save(c, weighted, tissues));
    tell(c, dose, weighted, tissues);
    return {};
}

}  // namespace

void add_proton_rbe(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("rbe", "a dose weighted by RBE, out of dose and LET");
    auto const c = std::make_shared<Command>();
    app->add_option("dose", c->dose,
                    "the physical dose in Gy: an RT dose, .nrrd, .mha, .mhd or .npy")
        ->required();
    app->add_option("let", c->let,
                    "dose-averaged LET in keV/um of water on the same grid; the constant model "
                    "needs none");
    app->add_option("--out", c->out, "the weighted dose: .dcm (an RT dose), .nrrd, .mha or .npy")
        ->required();
    app->add_fields(proton::rbe_fields(), c->options);
    app->add_option("--structures", c->structures, "an RT structure set, for --alpha-beta-of");
    app->add_option("--alpha-beta-of", c->tissues,
                    "alpha/beta of a structure, as in \"PTV=10\"; may be given several times, the "
                    "last counts where they overlap")
        ->one_each();
    app->add_option("--alpha-beta-map", c->map, "alpha/beta of each element, Gy, on the same grid");
    c->common.add(*app, {.json = applies()});
    app->footer(
        "RBE is of the dose of one fraction: --fractions is of how many the dose is the sum.\n"
        "Where LET is missing, RBE is 1.1; above a thousandth of the highest dose that is an "
        "error.\n\n"
        "Examples:\n"
        "  sluice proton rbe RD.dcm let.nrrd --model mcnamara --alpha-beta 2 --fractions 30 --out "
        "weighted.dcm\n"
        "  sluice proton rbe dose.nrrd let.nrrd --structures RS.dcm --alpha-beta 2 "
        "--alpha-beta-of \"PTV=10\" --out weighted.nrrd\n"
        "  sluice proton rbe RD.dcm --model constant --out weighted.dcm");
    app->callback([c, app, &exit_code] {
        if (auto s = run(*c, app.given()); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
