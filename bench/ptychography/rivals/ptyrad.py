"""PtyRAD as a contestant: Adam by PyTorch's derivatives.

PtyRAD 1.0.0 (LGPL 3), by its public interface. One of its files, which draws figures, is written for Python
3.12; for an older Python an empty module stands in. Nothing is drawn or saved here. It is not
compiled (`compiler_configs`): that takes seconds, and an iteration is 5 % shorter afterwards.

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import io
import logging
import os
import sys
import time
import types

import numpy as np

import scenes

MARGIN = 8  # of the object around the windows


class Hollow(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: None


class PtyRAD:
    name = "PtyRAD"

    def __init__(self, counts, positions, probe, solver, group, slices):
        assert solver == "adam" and len(probe) == slices == 1
        if sys.version_info < (3, 12):
            sys.modules["ptyrad.plotting.basic"] = Hollow("ptyrad.plotting.basic")
        import torch
        torch.set_num_threads(len(os.sched_getaffinity(0)))
        self.torch, self.counts, self.probe, self.group = torch, counts, probe, group
        self.corners = positions - np.floor(positions.min(0)) + MARGIN

    def start(self):
        side, shape = self.counts.shape[1], scenes.raster(len(self.counts))
        extent = np.ceil(np.ptp(self.corners, axis=0)).astype(int) + side + 2 * MARGIN
        pixel = 10 * scenes.PIXEL_NM  # it counts in angstroms
        return {"probe_illum_type": "electron", "probe_kv": scenes.VOLTS / 1e3,
                "probe_conv_angle": 20.0, "meas_Npix": side, "pos_N_scans": len(self.counts),
                "pos_N_scan_slow": shape[0], "pos_N_scan_fast": shape[1],
                "pos_scan_step_size": pixel, "meas_calibration": {"mode": "dx", "value": pixel},
                "probe_pmode_max": 1, "obj_Nlayer": 1, "obj_slice_thickness": 1,
                "pos_scan_rand_std": None, "meas_source": "custom",
                "meas_params": np.fft.fftshift(self.counts, axes=(1, 2)).astype(np.float32),
                "probe_source": "custom", "probe_params": self.probe.astype(np.complex64),
                "pos_source": "custom", "pos_params": self.corners,
                "obj_source": "custom", "obj_params": np.ones((1, 1, *extent), np.complex64)}

    def settings(self, iterations):
        never = {"start_iter": None, "lr": 0}
        return {
            "init_params": self.start(),
            "model_params": {"optimizer_params": {"name": "Adam"}, "update_params": {
                "obja": {"start_iter": 1, "lr": 0.02}, "objp": {"start_iter": 1, "lr": 0.02},
                "probe": {"start_iter": 2, "lr": 0.005}, "probe_pos_shifts": never,
                "obj_tilts": never, "slice_thickness": never}},
            "loss_params": {"loss_single": {"state": True, "weight": 1.0, "dp_pow": 0.5},
                            "loss_sparse": {"state": False}},
            "constraint_params": {name: {"start_iter": None} for name in (
                "ortho_pmode", "fix_probe_int", "obj_rblur", "obj_zblur", "obja_thresh",
                "objp_postiv")},
            "recon_params": {
                "NITER": iterations, "BATCH_SIZE": {"size": self.group, "grad_accumulation": 1},
                "GROUP_MODE": "random", "SAVE_ITERS": None, "output_dir": "unused",
                "convergence_monitor": None, "selected_figs": [], "save_result": [],
                "copy_params": False}}

    def run(self, iterations):
        from ptyrad.params import PtyRADParams
        from ptyrad.solver import PtyRADSolver
        logging.disable(logging.WARNING)
        with contextlib.redirect_stdout(io.StringIO()):
            solver = PtyRADSolver(PtyRADParams(**self.settings(iterations)).model_dump(),
                                  device="cpu", seed=1)
            start = time.process_time()
            solver.run()
            model = solver.reconstruct_results
        spent = sum(model.iter_times), time.process_time() - start
        thing = (model.opt_obja * self.torch.exp(1j * model.opt_objp)).detach().numpy()[0]
        probe = self.torch.view_as_complex(model.opt_probe.detach().contiguous()).numpy()
        return spent, (self.corners, thing, probe)
