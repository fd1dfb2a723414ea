// The words of the rules: shares, times and counts as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "domain/slide/profile/rules/facts.h"

namespace sluice::slide::rule {

std::string percent(double share);
/// In seconds or milliseconds.
std::string duration(double s);
/// "one thread", "2 threads".
std::string count(int threads);
std::string plural(index n, std::string_view what);

/// How sure a sentence about times is, and the numbers it rests on.
std::string evidence(Facts const& f, std::string numbers, ReadFacts const& r);
/// Computing beside time, the numbers of most sentences.
std::string computing(ReadFacts const& r);
/// An advice for those who read too little.
std::string how_to_measure_more();

}  // namespace sluice::slide::rule
