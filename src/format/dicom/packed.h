// Datasets as bytes: what the process that reads a file says to the one that asked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/dicom/dataset.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::dicom {

/// Sequences in sequences; no class of DICOM has more than six.
constexpr int deepest = 16;

std::vector<std::byte> pack(Dataset const& dataset);
/// The bytes may be anything: who wrote them has read a file of others.
Result<Dataset> unpack(Bytes bytes);

}  // namespace sluice::dicom
