// Dataset: what a DICOM file says, as texts, numbers and datasets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "format/dicom/tags.h"

namespace sluice::dicom {

struct Element;

struct Dataset {
    std::vector<Element> elements;  ///< by their tags

    Element const* find(Tag tag) const;
};

/// Of a value that is neither text nor numbers nor a sequence only the tag is kept.
struct Element {
    Tag tag = 0;
    std::string text = {};             ///< UTF-8; several values stand between backslashes
    std::vector<double> numbers = {};  ///< of binary numbers
    std::vector<Dataset> items = {};   ///< of a sequence
};

}  // namespace sluice::dicom
