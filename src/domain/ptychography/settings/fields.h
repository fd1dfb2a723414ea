// Fields: the table of all settings, by name. TOML files, command lines, sweeps, checkpoints and
// Python go through it, so that a new setting is a member, and a line in fields.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "sluice/ptychography.h"

namespace sluice::ptycho {

using stem4d::Likelihood;
using stem4d::PtychographyOptions;
using stem4d::PtychographyStage;

template <class T>
struct Field {
    char const* name;
    char const* what;
    std::variant<bool T::*, index T::*, std::uint64_t T::*, double T::*,
                 PtychographyStage::Solver T::*, Likelihood T::*, PtychographyStage::Moduli T::*,
                 PtychographyStage::PositionModel T::*, PtychographyStage::Grouping T::*,
                 stem4d::Propagation T::*, stem4d::ObjectStart T::*>
        at;
};

std::span<Field<PtychographyStage> const> stage_fields();
std::span<Field<PtychographyOptions> const> option_fields();

/// A value of an enumeration, and its name.
template <class Value>
struct Word {
    char const* name;
    Value value;
};
/// The names of an enumeration's values: words(Likelihood{}).
std::span<Word<PtychographyStage::Solver> const> words(PtychographyStage::Solver);
std::span<Word<Likelihood> const> words(Likelihood);
std::span<Word<PtychographyStage::Moduli> const> words(PtychographyStage::Moduli);
std::span<Word<PtychographyStage::PositionModel> const> words(PtychographyStage::PositionModel);
std::span<Word<PtychographyStage::Grouping> const> words(PtychographyStage::Grouping);
std::span<Word<stem4d::Propagation> const> words(stem4d::Propagation);
std::span<Word<stem4d::ObjectStart> const> words(stem4d::ObjectStart);

}  // namespace sluice::ptycho
