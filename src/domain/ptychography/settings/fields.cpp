// Fields: the table of all settings.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/settings/fields.h"

#include "domain/ptychography/settings/words.h"

namespace sluice::ptycho {

namespace {

using Stage = PtychographyStage;
using Options = PtychographyOptions;

using config::field;

constexpr config::Field<Stage> of_stage[] = {
    field<&Stage::solver>("solver", "the algorithm"),
    field<&Stage::iterations>("iterations", "times that every pattern is used"),
    field<&Stage::group>("group",
                         "patterns that see the same object and probe; 0: a fiftieth of them for "
                         "epie, rpie and mpie, else a fifth, for lsqml 100 or a hundredth at most"),
    field<&Stage::grouping>("grouping",
                            "any patterns, or coloured: only such whose probes lie apart"),
    field<&Stage::likelihood>(
        "likelihood",
        "what lsqml, sgd, adam and mlcg minimise; auto: poisson of counts, else amplitude"),
    field<&Stage::object_step>("object_step", "length of a step; 0: the solver's own"),
    field<&Stage::probe_step>("probe_step", "length of a step; 0: the solver's own"),
    field<&Stage::object_regularisation>(
        "object_regularisation", "for rpie and mpie: part of the largest illumination, 0 to 1"),
    field<&Stage::probe_regularisation>(
        "probe_regularisation", "for rpie and mpie: part of the object's largest power, 0 to 1"),
    field<&Stage::momentum>(
        "momentum", "for mpie: part of a velocity that stays; for lsqml with modes, 0: none"),
    field<&Stage::momentum_gain>("momentum_gain",
                                 "for mpie: part of a velocity that moves the object"),
    field<&Stage::momentum_chance>("momentum_chance",
                                   "for mpie: chance of a momentum step after each pattern"),
    field<&Stage::relaxation>("relaxation", "for dm, raar, rrr and sdr; 0: 1, 0.75, 0.5 and 1"),
    field<&Stage::power_bound>(
        "power_bound", "for projections: errors below this part of a pattern's power are noise"),
    field<&Stage::probe_from>("probe_from", "the first iteration that changes the probe"),
    field<&Stage::fix_object>("fix_object", "the object keeps its bits"),
    field<&Stage::fix_probe>("fix_probe", "the probe keeps its bits"),
    field<&Stage::refine_positions>("refine_positions", "positions move against their gradients"),
    field<&Stage::position_step>("position_step", "part of a Gauss-Newton step"),
    field<&Stage::opr_modes>("opr_modes",
                             "orthogonal modes that each pattern adds to its probe; 0: none"),
    field<&Stage::opr_intensity>("opr_intensity", "each pattern has a factor of its probe"),
    field<&Stage::position_model>("position_model",
                                  "each moves on its own, or all by one affine map"),
    field<&Stage::position_search>("position_search",
                                   "places that each position also tries, 0 to 8"),
    field<&Stage::position_search_radius>("position_search_radius",
                                          "first distance of those places, in pixels"),
    field<&Stage::refine_descan>("refine_descan",
                                 "fit how far each pattern is shifted on the detector"),
    field<&Stage::refine_background>("refine_background", "fit counts that all patterns share"),
    field<&Stage::refine_slice_distance>("refine_slice_distance", "slice_nm"),
    field<&Stage::refine_tilt>("refine_tilt", "of the specimen, by its slices"),
    field<&Stage::probe_power>("probe_power", "the probe's power stays that of the mean pattern"),
    field<&Stage::tv_weight>("tv_weight",
                             "weight of the object's total variation, some 0.001 to 0.01; 0: none"),
    field<&Stage::tv_every>("tv_every", "iterations from one time of total variation to the next"),
    field<&Stage::tv_steps>("tv_steps", "steps of total variation, each time"),
    field<&Stage::tikhonov>("tikhonov",
                            "how far each pixel moves towards its neighbours, 0 to 0.125"),
    field<&Stage::slice_blur>("slice_blur", "blur of the object across slices, in slices; 0: none"),
    field<&Stage::object_support>(
        "object_support",
        "the object is 1 where its illumination is below this part of the largest"),
    field<&Stage::moduli>("moduli", "of the object"),
    field<&Stage::positive_phase>(
        "positive_phase",
        "phases below this quantile are raised to it, and it becomes phase 0; 0: none"),
    field<&Stage::probe_support>(
        "probe_support",
        "radius of the probe as part of its window; 0: the probe fades beyond 0.45; 1: no limit"),
    field<&Stage::probe_aperture_mrad>("probe_aperture_mrad",
                                       "the probe's spectrum is 0 beyond this angle; 0: no limit"),
};

constexpr config::Field<Options> of_options[] = {
    field<&Options::modes>("modes", "of a partially coherent probe"),
    field<&Options::object_start>("object_start",
                                  "ones, drawn phases, or a weak phase by the single side band"),
    field<&Options::margin>("margin",
                            "pixels around the outermost windows, for positions that move"),
    field<&Options::sub_pixel>("sub_pixel",
                               "the probe moves by parts of a pixel; else positions are rounded"),
    field<&Options::slices>("slices", "of the object"),
    field<&Options::slice_nm>("slice_nm", "distance of two slices"),
    field<&Options::tilt_row_mrad>("tilt_row_mrad",
                                   "tilt of the specimen, which shifts slices along rows"),
    field<&Options::tilt_col_mrad>("tilt_col_mrad", "the same along columns"),
    field<&Options::propagation>("propagation",
                                 "to the detector: the far field, or near at distance_mm"),
    field<&Options::distance_mm>("distance_mm",
                                 "from object to detector, of the near field; 0: the file's"),
    field<&Options::focus_distance_mm>(
        "focus_distance_mm",
        "from a cone beam's focus to the object, of the near field; 0: the beam is parallel"),
    field<&Options::detector_bin>("detector_bin",
                                  "pixels of the computed wave in one of the patterns"),
    field<&Options::detector_blur>("detector_blur",
                                   "standard deviation of the detector's response, in pixels"),
    field<&Options::window>("window",
                            "side that waves are computed on; 0: detector_bin times the patterns'"),
    field<&Options::seed>("seed", "of the order of patterns"),
    field<&Options::stop_early>("stop_early",
                                "stop when R fell by less than 0.001 in ten iterations"),
    field<&Options::restore_best>(
        "restore_best",
        "where R rises three times in a row: back to the best state, half the steps"),
    field<&Options::memory_limit>("memory_limit", "bytes; 0: what the machine has"),
    field<&Options::checkpoint_every>(
        "checkpoint_every",
        "iterations from one checkpoint to the next; 0: so many that writing "
        "takes less than a tenth of the time"),
};

}  // namespace

config::Fields<Stage> stage_fields() {
    return of_stage;
}
config::Fields<Options> option_fields() {
    return of_options;
}

}  // namespace sluice::ptycho
