// OME-XML: what METADATA.ome.xml says of the images beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/ngff/plan.h"

namespace sluice::slide::ome {

/// A document of the schema 2016-06 with an Image for each of the plan, without pixel data.
std::string ome_xml(Plan const& plan);

}  // namespace sluice::slide::ome
