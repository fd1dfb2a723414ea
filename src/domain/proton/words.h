// The words of protons' enumerations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "sluice/proton_converge.h"
#include "sluice/proton_dose.h"
#include "sluice/proton_rbe.h"

namespace sluice::proton {

constexpr auto words(WaterTable /*of_this_type*/) {
    return std::to_array<config::Word<WaterTable>>(
        {{"icru90", WaterTable::icru90}, {"pstar", WaterTable::pstar}});
}
constexpr auto words(Precision /*of_this_type*/) {
    return std::to_array<config::Word<Precision>>(
        {{"f32", Precision::f32}, {"f64", Precision::f64}});
}
constexpr auto words(Splitting /*of_this_type*/) {
    return std::to_array<config::Word<Splitting>>(
        {{"strang", Splitting::strang}, {"first-order", Splitting::first_order}});
}
constexpr auto words(EnergySpacing /*of_this_type*/) {
    return std::to_array<config::Word<EnergySpacing>>(
        {{"range", EnergySpacing::range},
         {"uniform", EnergySpacing::uniform},
         {"logarithmic", EnergySpacing::logarithmic}});
}
constexpr auto words(Backward /*of_this_type*/) {
    return std::to_array<config::Word<Backward>>(
        {{"reject", Backward::reject}, {"cap", Backward::cap}, {"allow", Backward::allow}});
}
constexpr auto words(Severity /*of_this_type*/) {
    return std::to_array<config::Word<Severity>>(
        {{"note", Severity::note}, {"warning", Severity::warning}, {"refusal", Severity::refusal}});
}
constexpr auto words(StepAxis /*of_this_type*/) {
    return std::to_array<config::Word<StepAxis>>({{"dz", StepAxis::dz},
                                                  {"range_step", StepAxis::range},
                                                  {"dx", StepAxis::dx},
                                                  {"angle_step", StepAxis::angle}});
}
constexpr auto words(RbeModel /*of_this_type*/) {
    return std::to_array<config::Word<RbeModel>>({{"constant", RbeModel::constant},
                                                  {"mcnamara", RbeModel::mcnamara},
                                                  {"wedenberg", RbeModel::wedenberg},
                                                  {"carabe", RbeModel::carabe}});
}
constexpr auto words(Quantity /*of_this_type*/) {
    return std::to_array<config::Word<Quantity>>({{"r80", Quantity::r80},
                                                  {"fall_off", Quantity::fall_off},
                                                  {"sigma_half", Quantity::sigma_half},
                                                  {"sigma_peak", Quantity::sigma_peak},
                                                  {"dose", Quantity::dose}});
}

constexpr auto words(ImageQuantity /*of_this_type*/) {
    return std::to_array<config::Word<ImageQuantity>>({{"HU", ImageQuantity::hu},
                                                       {"density", ImageQuantity::density},
                                                       {"rsp", ImageQuantity::stopping}});
}
constexpr auto words(DoseEngine /*of_this_type*/) {
    return std::to_array<config::Word<DoseEngine>>(
        {{"pencils", DoseEngine::pencils}, {"march", DoseEngine::march}});
}
constexpr auto words(DoseTo /*of_this_type*/) {
    return std::to_array<config::Word<DoseTo>>(
        {{"water", DoseTo::water}, {"medium", DoseTo::medium}});
}

}  // namespace sluice::proton
