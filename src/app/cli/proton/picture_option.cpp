// --pictures: the kinds of files that a picture becomes.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/picture_option.h"

#include "figure/render.h"

namespace sluice::cli {

void PictureOption::add(Verb const& app) {
    app.add_option("--pictures", kinds, "png, svg, pdf; several with commas")
        ->delimiter(',')
        ->check(one_of({"png", "svg", "pdf"}))
        ->capture_default_str();
}

std::vector<std::string> PictureOption::names(std::string const& stem) const {
    std::vector<std::string> out;
    for (std::string const& kind : kinds) out.push_back(stem + "." + kind);
    return out;
}

Status PictureOption::save(std::string const& stem, figure::Drawing const& drawing,
                           Provenance const& provenance) const {
    for (std::string const& path : names(stem))
        SLUICE_CHECK(figure::save_drawing(path, drawing, provenance));
    return {};
}

}  // namespace sluice::cli
