// The words of the rules.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bench/words.h"
#include "domain/slide/profile/rules/facts.h"

namespace sluice::slide::rule {

using bench::count;
using bench::duration;
using bench::percent;

/// How sure a sentence about times is, and the numbers it rests on.
std::string evidence(Facts const& f, std::string numbers, ReadFacts const& r);
/// Computing beside time, the numbers of most sentences.
std::string computing(ReadFacts const& r);
/// An advice for those who read too little.
std::string how_to_measure_more();

}  // namespace sluice::slide::rule
