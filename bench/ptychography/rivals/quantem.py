"""quantem as a contestant: PyTorch's Adam, and gradient descent with ePIE's step.

quantem 0.1.10 (MIT), by its public interface. It wants a raster; the true positions replace its own before
the first iteration. Its probe has its middle at [0, 0]. It limits the object's modulus to 1. Its analytic gradient
gives the same object and probe as PyTorch's derivatives do, a tenth sooner, so that is what runs.

SPDX-License-Identifier: Apache-2.0
"""
import os
import time

import numpy as np

import scenes


class Quantem:
    name = "quantem"

    def __init__(self, counts, positions, probe, solver, group, slices):
        assert solver in ("epie", "adam") and len(probe) == slices == 1
        import torch
        torch.set_num_threads(len(os.sched_getaffinity(0)))
        self.torch, self.counts, self.group, self.solver = torch, counts, group, solver
        self.pad = counts.shape[1] // 2 + 8
        self.corners = positions - np.floor(positions.min(0)) + 8
        power = counts.sum(dtype=float) / len(counts)
        self.probe = np.fft.ifftshift(probe * np.sqrt(power) / np.linalg.norm(probe), axes=(1, 2))

    def ready(self):
        from quantem.core.datastructures import Dataset4dstem
        from quantem.diffractive_imaging import (dataset_models, detector_models, object_models,
                                                 probe_models, ptychography)
        side, pixel = self.counts.shape[1], 10 * scenes.PIXEL_NM  # it counts in angstroms
        shape = scenes.raster(len(self.counts))
        step = np.ceil(np.ptp(self.corners, axis=0) / (np.array(shape) - 1)) * pixel
        cube = Dataset4dstem.from_array(
            np.fft.fftshift(self.counts, axes=(1, 2)).reshape(*shape, side, side).astype(np.float32),
            sampling=(*step, 1 / (side * pixel), 1 / (side * pixel)),
            units=["A", "A", "A^-1", "A^-1"])
        data = dataset_models.PtychographyDatasetRaster.from_dataset4dstem(
            cube, verbose=0, learn_descan=False, learn_scan_positions=False)
        fixed = {"com_fit_function": "no_shift", "force_com_rotation": 0,
                 "force_com_transpose": False, "plot_rotation": False, "plot_com": False,
                 "obj_padding_px": (self.pad, self.pad)}
        data.preprocess(probe_energy=scenes.VOLTS, **fixed)
        work = ptychography.Ptychography.from_models(
            data, object_models.ObjectPixelated.from_uniform(obj_type="complex"),
            probe_models.ProbePixelated.from_array(self.probe.astype(np.complex64), num_probes=1,
                                                   probe_params={"energy": scenes.VOLTS}),
            detector_models.DetectorPixelated(), verbose=0, rng=1)
        work.preprocess(**fixed)
        data.scan_positions_px = self.torch.tensor(self.corners + side // 2, dtype=self.torch.float32)
        return work

    def run(self, iterations):
        work = self.ready()
        adam = self.solver == "adam"
        of_probe = 0.0125 * float(np.abs(self.probe).max())  # as large a part as PtyRAD's
        steps = {"object": {"name": "adam", "lr": 0.02} if adam else {"name": "sgd", "lr": 1.0},
                 "probe": {"name": "adam", "lr": of_probe} if adam else {"name": "sgd", "lr": 1.0}}
        settings = {"batch_size": self.group, "device": "cpu", "autograd": False,
                    "analytic_step_normalization": not adam}
        start = time.perf_counter(), time.process_time()
        # The probe moves from the second iteration on, as in all contestants.
        work.reconstruct(1, optimizer_params={"object": steps["object"]}, **settings)
        work.reconstruct(iterations - 1, optimizer_params=steps, **settings)
        spent = time.perf_counter() - start[0], time.process_time() - start[1]
        return spent, (self.corners, work.obj, np.fft.fftshift(work.probe, axes=(1, 2)))
