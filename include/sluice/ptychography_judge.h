// What looks wrong with a reconstruction, and what to do about it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "sluice/ptychography.h"

namespace sluice::stem4d {

/// Looks for: scan grid, checkerboard, ringing, streaks, phase wraps, low contrast, misfit, probe
/// drift, probe edge (of far fields), probe power. Of a thick object the phases of the slices are
/// added up. What the scan is too small for (16 pixels a side, 48 where a spectrum is looked at) is
/// left out. Costs some transforms of the object. Fails where the arrays of the result do not fit
/// to each other.
Result<std::vector<Judgement>> judge(PtychographyResult const& result);

/// The patterns that causes of a misfit are tried on: about a hundred neighbours in the middle of
/// the scan, fewer where patterns are large. Keep them where the patterns are moved away.
Result<Patterns> part_to_try(Patterns const& patterns, PtychographyOptions const& options);

/// How an answer names a cause to whom it tells it, as in "give --rotation 30".
using CauseWords = std::function<std::string(TriedCause const&)>;

/// Where judge() found a misfit, tries what it may come from, on part_to_try() of the patterns that
/// the result was made of with these options: other orientations and rotations of the detector, a
/// defocus of the other sign, other units of positions, another probe, more modes. Each is a short
/// reconstruction that begins anew, and so is one with the settings as they were. The finding
/// and its note name the cause that lowers R of patterns held out most, and by more than such
/// trials differ. (Of near fields, bins and larger windows R of those seen counts, and no modes are
/// tried.) Takes the time of some ten thousand patterns in one iteration; its bits do not depend on
/// threads. options.progress is told, and may stop it. Fails where options want several ranks.
Status explain_misfit(PtychographyResult& result, Patterns const& patterns,
                      PtychographyOptions const& options, CauseWords const& words = {});

}  // namespace sluice::stem4d
