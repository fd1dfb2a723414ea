// The files of a run.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/outputs.h"

#include <algorithm>

#include "app/cli/proton/dose.h"
#include "app/cli/proton/pictures.h"
#include "base/file.h"
#include "domain/proton/physics/constants.h"
#include "domain/proton/run/tables.h"

namespace sluice::cli {
namespace {

class Folder {
  public:
    Folder(std::string const& path, PictureOption const& pictures, Provenance const& provenance)
        : path_(path), pictures_(pictures), provenance_(provenance) {}

    Status text(std::string const& name, std::string const& content) {
        return save_text(full(name), content);
    }
    Status picture(std::string const& stem, figure::Drawing const& content) {
        for (std::string const& name : pictures_.names(stem)) add(name);
        return pictures_.save(path_ + "/" + stem, content, provenance_);
    }
    Status array(std::string const& name, Array<float> const& content) {
        return save_npy(full(name), content);
    }
    void add(std::string const& name) { names_.push_back(name); }
    std::vector<std::string> names() && { return std::move(names_); }

  private:
    std::string const& path_;
    PictureOption const& pictures_;
    Provenance const& provenance_;
    std::vector<std::string> names_;

    std::string full(std::string const& name) {
        names_.push_back(name);
        return path_ + "/" + name;
    }
};

Array<float> array_of(proton::MarchResult const& r, std::vector<double> const& values) {
    Array<float> out{{r.planes, r.columns}, {}};
    for (double const v : values) out.values.push_back(static_cast<float>(v));
    return out;
}

Status save_let(Folder& to, std::string const& title, proton::MarchResult const& r) {
    auto const let = proton::let_map(r, false);
    if (let.empty()) return {};
    SLUICE_CHECK(to.array("let.npy", array_of(r, let)));
    SLUICE_CHECK(to.array("let_all_protons.npy", array_of(r, proton::let_map(r, true))));
    return to.picture(
        "let",
        let_picture({r, let, title + ": LETd of primary protons in unit density", "keV/um"}));
}

}  // namespace

Result<std::vector<std::string>> save_run(std::string const& folder, std::string const& title,
                                          DoseFiles const& doses, PictureOption const& pictures,
                                          proton::Config const& config, ProtonSum const& sum,
                                          std::optional<Reference> const& beside,
                                          Provenance const& provenance) {
    Folder to(folder, pictures, provenance);
    proton::MarchResult const& r = sum.total;
    double const protons = r.ledger.in.weight;
    auto curve = depth_dose(r);
    for (double& d : curve.dose) d *= proton::gray_mm2 / protons;
    Array<float> const dose = dose_of(config, r, protons);
    SLUICE_TRY(auto const saved, save_dose(folder, doses, config, r, protons, provenance));
    for (std::string const& name : saved) to.add(name);
    SLUICE_CHECK(to.picture(
        "dose",
        dose_picture(
            {r, {dose.values.begin(), dose.values.end()}, title + ": dose", "% of the highest"})));
    SLUICE_CHECK(to.text("depth_dose.csv", curves_table(r)));
    SLUICE_CHECK(to.picture("depth_dose", depth_picture(curve, r, beside, title)));
    SLUICE_CHECK(save_let(to, title, r));
    if (!r.steps.empty()) {
        SLUICE_CHECK(to.text("ledger.csv", ledger_table(r)));
        SLUICE_CHECK(to.picture("ledger", ledger_picture(r, title + ": where everything went")));
    }
    if (!r.spectra.empty()) {
        SLUICE_CHECK(to.text("spectra.csv", spectra_table(r)));
        SLUICE_CHECK(to.picture("spectra", spectra_picture(r, title + ": spectra at depths")));
    }
    return std::move(to).names();
}

}  // namespace sluice::cli
