// The tables and quantities that configurations of protons are read by.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/table.h"

namespace sluice::proton {

using config::Dimension;
using config::example_of;
using config::parse_quantity;
using config::Table;
using config::table_at;
using config::wrong;

}  // namespace sluice::proton
