// The tables and quantities that configurations of protons are read by.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/read_fields.h"

namespace sluice::proton {

using config::Dimension;
using config::parse_quantity;
using config::read_field;
using config::read_fields;
using config::Table;
using config::table_at;
using config::wrong;

}  // namespace sluice::proton
