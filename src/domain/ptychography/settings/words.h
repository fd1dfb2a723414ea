// The words of ptychography's enumerations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "sluice/ptychography.h"
#include "sluice/ptychography_search.h"

namespace sluice::stem4d {

constexpr auto words(PtychographyStage::Solver /*of_this_type*/) {
    using Solver = PtychographyStage::Solver;
    return std::to_array<config::Word<Solver>>({{"epie", Solver::epie},
                                                {"rpie", Solver::rpie},
                                                {"mpie", Solver::mpie},
                                                {"ap", Solver::ap},
                                                {"dm", Solver::dm},
                                                {"raar", Solver::raar},
                                                {"rrr", Solver::rrr},
                                                {"sdr", Solver::sdr},
                                                {"lsqml", Solver::lsqml},
                                                {"sgd", Solver::sgd},
                                                {"adam", Solver::adam},
                                                {"mlcg", Solver::mlcg}});
}
constexpr auto words(Likelihood /*of_this_type*/) {
    return std::to_array<config::Word<Likelihood>>({{"auto", Likelihood::automatic},
                                                    {"amplitude", Likelihood::amplitude},
                                                    {"poisson", Likelihood::poisson},
                                                    {"gaussian", Likelihood::gaussian}});
}
constexpr auto words(PtychographyStage::Moduli /*of_this_type*/) {
    using Moduli = PtychographyStage::Moduli;
    return std::to_array<config::Word<Moduli>>(
        {{"any", Moduli::any}, {"at_most_one", Moduli::at_most_one}, {"one", Moduli::one}});
}
constexpr auto words(PtychographyStage::PositionModel /*of_this_type*/) {
    using PositionModel = PtychographyStage::PositionModel;
    return std::to_array<config::Word<PositionModel>>(
        {{"each", PositionModel::each}, {"affine", PositionModel::affine}});
}
constexpr auto words(PtychographyStage::Grouping /*of_this_type*/) {
    using Grouping = PtychographyStage::Grouping;
    return std::to_array<config::Word<Grouping>>(
        {{"random", Grouping::random}, {"coloured", Grouping::coloured}});
}
constexpr auto words(Propagation /*of_this_type*/) {
    return std::to_array<config::Word<Propagation>>(
        {{"far", Propagation::far}, {"near", Propagation::near}});
}
constexpr auto words(ObjectStart /*of_this_type*/) {
    return std::to_array<config::Word<ObjectStart>>(
        {{"ones", ObjectStart::ones}, {"random", ObjectStart::random}, {"ssb", ObjectStart::ssb}});
}
constexpr auto words(Halves /*of_this_type*/) {
    return std::to_array<config::Word<Halves>>(
        {{"patterns", Halves::patterns}, {"counts", Halves::counts}});
}

}  // namespace sluice::stem4d
