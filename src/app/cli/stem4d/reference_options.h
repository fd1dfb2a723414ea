// What commands do with references: --dark and --gain.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/outputs.h"
#include "domain/stem4d/fields.h"

namespace sluice::cli {

Result<stem4d::References> read_references(stem4d::ReferencesWish const& wish);

/// What a report says of the references of a scan.
Json to_json(Scan const& scan, stem4d::References const& references);

}  // namespace sluice::cli
