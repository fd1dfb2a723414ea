// What a proton dose cannot be trusted in, as numbers with limits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/proton.h"

namespace sluice::proton {

struct Config;

enum class Severity : std::uint8_t {
    note,     ///< a reader of the results may want to know it
    warning,  ///< the dose may be wrong
    refusal,  ///< the dose is wrong
};
std::string_view name_of(Severity severity);

/// A number that says how wrong a dose may be.
struct Guard {
    std::string name;  ///< stays the same from version to version
    double value = 0, limit = 0;
    std::string unit = {};
    Severity severity = Severity::warning;
    std::string text = {};              ///< what is wrong, with the value in it
    std::string key = {}, wanted = {};  ///< which key needs which value; or empty
};
/// Its text and what to do.
std::string sentence(Guard const& guard);
/// The names and numbers of all that are more than notes, in one line.
std::string summary(std::vector<Guard> const& guards);

/// What a beam's march on this grid would get wrong, without marching it: the shape of its profile
/// on these angles (by Fermi and Eyges), what of its angles the window does not have, and what
/// steps of depth and range do to the range and the depth dose (by marching a few lines without
/// angles, here and four times as finely). Nothing where the march would refuse the beam.
std::vector<Guard> guards_of(Physics const& physics, Phantom const& phantom, Beam const& beam,
                             MarchOptions const& options);

/// Of a whole configuration: what its reader found, and the worst of each kind over its beams.
/// Calls the progress of its options with beams done and all; the error is that it was cancelled.
Result<std::vector<Guard>> guards_before(Config const& config);

/// What a ledger tells after the march.
std::vector<Guard> guards_after(Config const& config, Ledger const& ledger);
/// The dose that is farthest from stopping power and the protons there: a part of the highest dose
/// (too little below 0), and its place, mm.
struct Unexplained {
    double part = 0, depth = 0, x = 0;
};
/// More of it is warned about: ordinary grids in water stay below half of it.
inline constexpr double most_unexplained = 0.03;
Unexplained worst_unexplained(MarchResult const& result);
/// [plane]: the same of each plane; empty where the result does not know.
std::vector<Unexplained> unexplained_by_plane(MarchResult const& result);
/// The same of a whole result, and where its physics does not add up: dose that stopping power and
/// the protons of a column do not explain, and a beam that is not as wide as theory has it.
std::vector<Guard> guards_after(Config const& config, MarchResult const& result);

/// An error with all refusals among them, if there are any.
Status refuse(std::vector<Guard> const& guards);

}  // namespace sluice::proton
