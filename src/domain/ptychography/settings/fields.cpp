// Fields: the table of all settings.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/settings/fields.h"

namespace sluice::ptycho {

namespace {

using Stage = PtychographyStage;
using Options = PtychographyOptions;
using SolverOf = Stage::Solver;

constexpr Word<SolverOf> solver_words[] = {
    {"epie", SolverOf::epie}, {"rpie", SolverOf::rpie}, {"mpie", SolverOf::mpie},
    {"ap", SolverOf::ap},     {"dm", SolverOf::dm},     {"raar", SolverOf::raar},
    {"rrr", SolverOf::rrr},   {"sdr", SolverOf::sdr},   {"lsqml", SolverOf::lsqml},
    {"sgd", SolverOf::sgd},   {"adam", SolverOf::adam}, {"mlcg", SolverOf::mlcg}};
constexpr Word<Likelihood> likelihood_words[] = {{"auto", Likelihood::automatic},
                                                 {"amplitude", Likelihood::amplitude},
                                                 {"poisson", Likelihood::poisson},
                                                 {"gaussian", Likelihood::gaussian}};
using Moduli = Stage::Moduli;
constexpr Word<Moduli> moduli_words[] = {
    {"any", Moduli::any}, {"at_most_one", Moduli::at_most_one}, {"one", Moduli::one}};
using PositionModel = Stage::PositionModel;
constexpr Word<PositionModel> position_model_words[] = {{"each", PositionModel::each},
                                                        {"affine", PositionModel::affine}};
using Grouping = Stage::Grouping;
constexpr Word<Grouping> grouping_words[] = {{"random", Grouping::random},
                                             {"coloured", Grouping::coloured}};
constexpr Word<stem4d::Propagation> propagation_words[] = {{"far", stem4d::Propagation::far},
                                                           {"near", stem4d::Propagation::near}};
using stem4d::ObjectStart;
constexpr Word<ObjectStart> object_start_words[] = {
    {"ones", ObjectStart::ones}, {"random", ObjectStart::random}, {"ssb", ObjectStart::ssb}};

Field<Stage> const of_stage[] = {
    {"solver", "the algorithm", &Stage::solver},
    {"iterations", "times that every pattern is used", &Stage::iterations},
    {"group", "patterns that see the same object and probe; 0: as suits the solver", &Stage::group},
    {"grouping", "any patterns, or coloured: only such whose probes lie apart", &Stage::grouping},
    {"likelihood",
     "what lsqml, sgd, adam and mlcg minimise; auto: poisson of counts, else amplitude",
     &Stage::likelihood},
    {"object_step", "length of a step; 0: the solver's own", &Stage::object_step},
    {"probe_step", "length of a step; 0: the solver's own", &Stage::probe_step},
    {"object_regularisation", "of rpie and mpie: part of the largest illumination, 0 to 1",
     &Stage::object_regularisation},
    {"probe_regularisation", "of rpie and mpie: part of the object's largest power, 0 to 1",
     &Stage::probe_regularisation},
    {"momentum", "of mpie: what a velocity keeps; of lsqml with modes, 0: none", &Stage::momentum},
    {"momentum_gain", "of mpie: what a velocity moves", &Stage::momentum_gain},
    {"momentum_chance", "of mpie: how often, for each pattern", &Stage::momentum_chance},
    {"relaxation", "of dm, raar, rrr and sdr; 0: 1, 0.75, 0.5 and 1", &Stage::relaxation},
    {"power_bound", "of projections: errors below this part of a pattern's power are noise",
     &Stage::power_bound},
    {"probe_from", "the first iteration that changes the probe", &Stage::probe_from},
    {"fix_object", "the object keeps its bits", &Stage::fix_object},
    {"fix_probe", "the probe keeps its bits", &Stage::fix_probe},
    {"refine_positions", "positions move against their gradients", &Stage::refine_positions},
    {"position_step", "of Gauss and Newton's", &Stage::position_step},
    {"opr_modes", "orthogonal modes that each pattern adds to its probe; 0: none",
     &Stage::opr_modes},
    {"opr_intensity", "each pattern has a factor of its probe", &Stage::opr_intensity},
    {"position_model", "each moves on its own, or all by one affine map", &Stage::position_model},
    {"position_search", "places that each position also tries, 0 to 8", &Stage::position_search},
    {"position_search_radius", "of those places at first, in pixels",
     &Stage::position_search_radius},
    {"refine_descan", "how far each pattern is shifted on the detector", &Stage::refine_descan},
    {"refine_background", "counts that all patterns share", &Stage::refine_background},
    {"refine_slice_distance", "slice_nm", &Stage::refine_slice_distance},
    {"refine_tilt", "of the specimen, by its slices", &Stage::refine_tilt},
    {"probe_power", "the probe's power stays that of the mean pattern", &Stage::probe_power},
    {"tv_weight", "of the object's total variation, some 0.001 to 0.01; 0: none",
     &Stage::tv_weight},
    {"tv_every", "iterations from one time of total variation to the next", &Stage::tv_every},
    {"tv_steps", "of total variation, each time", &Stage::tv_steps},
    {"tikhonov", "how far each pixel moves towards its neighbours, 0 to 0.125", &Stage::tikhonov},
    {"slice_blur", "of the object across slices, in slices; 0: none", &Stage::slice_blur},
    {"object_support", "the object is 1 where it is lit less than this part of the most",
     &Stage::object_support},
    {"moduli", "of the object", &Stage::moduli},
    {"positive_phase", "phases below this quantile are raised to it, and it is phase 0; 0: none",
     &Stage::positive_phase},
    {"probe_support",
     "radius of the probe as part of its window; 0: what is beyond 0.45 fades; 1: none",
     &Stage::probe_support},
    {"probe_aperture_mrad", "the probe's spectrum is 0 beyond; 0: it is free",
     &Stage::probe_aperture_mrad},
};

Field<Options> const of_options[] = {
    {"modes", "of a partially coherent probe", &Options::modes},
    {"object_start", "ones, drawn phases, or a weak phase by the single side band",
     &Options::object_start},
    {"margin", "pixels around the outermost windows, for positions that move", &Options::margin},
    {"sub_pixel", "the probe moves by parts of a pixel; else positions are rounded",
     &Options::sub_pixel},
    {"slices", "of the object", &Options::slices},
    {"slice_nm", "distance of two slices", &Options::slice_nm},
    {"tilt_row_mrad", "of the specimen: what slices shift along rows", &Options::tilt_row_mrad},
    {"tilt_col_mrad", "the same along columns", &Options::tilt_col_mrad},
    {"propagation", "to the detector: the far field, or near at distance_mm",
     &Options::propagation},
    {"distance_mm", "from object to detector, of the near field; 0: the file's",
     &Options::distance_mm},
    {"focus_distance_mm",
     "from a cone beam's focus to the object, of the near field; 0: the beam is parallel",
     &Options::focus_distance_mm},
    {"detector_bin", "pixels of the computed wave in one of the patterns", &Options::detector_bin},
    {"detector_blur", "standard deviation of the detector's response, in pixels",
     &Options::detector_blur},
    {"window", "side that waves are computed on; 0: detector_bin times the patterns'",
     &Options::window},
    {"seed", "of the order of patterns", &Options::seed},
    {"stop_early", "stop when R fell by less than 0.001 in ten iterations", &Options::stop_early},
    {"restore_best", "where R rises three times in a row: back to the best state, half the steps",
     &Options::restore_best},
    {"memory_limit", "bytes; 0: what the machine has", &Options::memory_limit},
    {"checkpoint_every",
     "iterations from one checkpoint to the next; 0: so many that writing "
     "takes less than a tenth of the time",
     &Options::checkpoint_every},
};

}  // namespace

std::span<Field<Stage> const> stage_fields() {
    return of_stage;
}
std::span<Field<Options> const> option_fields() {
    return of_options;
}
std::span<Word<SolverOf> const> words(SolverOf /*of_this_type*/) {
    return solver_words;
}
std::span<Word<Likelihood> const> words(Likelihood /*of_this_type*/) {
    return likelihood_words;
}
std::span<Word<Moduli> const> words(Moduli /*of_this_type*/) {
    return moduli_words;
}
std::span<Word<PositionModel> const> words(PositionModel /*of_this_type*/) {
    return position_model_words;
}
std::span<Word<Grouping> const> words(Grouping /*of_this_type*/) {
    return grouping_words;
}
std::span<Word<stem4d::Propagation> const> words(stem4d::Propagation /*of_this_type*/) {
    return propagation_words;
}
std::span<Word<ObjectStart> const> words(ObjectStart /*of_this_type*/) {
    return object_start_words;
}

}  // namespace sluice::ptycho
