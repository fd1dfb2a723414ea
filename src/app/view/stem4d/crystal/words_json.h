// Reasons of patterns as codes and as words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/stem4d/answer.h"

namespace sluice::app {

/// The words of all codes up to the last one.
template <class Reason>
Json words_until(Reason last) {
    Json words = Json::array();
    for (int i = 0; i <= static_cast<int>(last); ++i)
        words.push_back(std::string(name_of(static_cast<Reason>(i))));
    return words;
}

template <class Reason>
void add_reasons(Answer& a, std::string const& name, std::vector<index> const& shape,
                 std::vector<Reason> const& reasons) {
    std::vector<double> codes;
    for (Reason const r : reasons) codes.push_back(static_cast<double>(r));
    a.arrays.add_counts(name, shape, codes);
}

}  // namespace sluice::app
