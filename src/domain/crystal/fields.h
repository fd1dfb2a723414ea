// The tables of what disks are found and templates are fitted with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/disks.h"

namespace sluice::stem4d {

/// All but the background, which is an array.
config::Fields<DiskOptions> disk_fields();
config::Fields<TemplateOptions> template_fields();

}  // namespace sluice::stem4d
