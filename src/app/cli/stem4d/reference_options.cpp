// Reads --dark and --gain, and reports them.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/reference_options.h"

namespace sluice::cli {

Result<stem4d::References> read_references(stem4d::ReferencesWish const& wish) {
    return stem4d::load_references(wish.dark, wish.gain);
}

Json to_json(Scan const& scan, stem4d::References const& references) {
    Json out = Json::object();
    if (references.dark.size() > 0) out["dark"] = {{"file", references.dark_file}};
    if (references.gain.size() > 0) {
        stem4d::ReferenceReport const r = stem4d::report_of(scan, references);
        out["gain"] = {{"file", references.gain_file},
                       {"least", r.least_gain},
                       {"most", r.most_gain},
                       {"pixels_left_out", r.without_gain}};
    }
    return out;
}

}  // namespace sluice::cli
