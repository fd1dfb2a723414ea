// What a gamma index asks for: the options that all its inputs share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/verb.h"
#include "sluice/proton_gamma.h"

namespace sluice::cli {

struct GammaCriterion {
    double dose = 2, distance = 2, cutoff = 10;  // %, mm, %
    bool local = false;

    void add(Verb const& app);
    proton::GammaOptions options(int threads) const;
    /// As in "gamma 2 %/2 mm, global, above 10 %".
    std::string words() const;
    Json json() const;
};

/// Two doses in space, and what is made of them.
struct VolumeGammaFiles {
    std::string reference, evaluated, out, values;
    double factor = 1;  ///< for the evaluated dose
};
Status volume_gamma(VolumeGammaFiles const& files, GammaCriterion const& criterion,
                    CommonOptions const& common);

/// What was found, for a report and for people.
Json to_json(proton::VolumeGamma const& found, double most);
std::string words_of(proton::VolumeGamma const& found, double most);

}  // namespace sluice::cli
