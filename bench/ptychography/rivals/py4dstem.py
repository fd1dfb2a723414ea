"""py4DSTEM as a contestant: its batched gradient descent, whose step of 1 on a group is ePIE's.

py4DSTEM 0.14.16 (GNU GPL 3), by its public interface. It wants patterns with zero frequency first where the
shifts are forced to 0, and a probe with its middle at [0, 0]. It limits the object's modulus to 1.

SPDX-License-Identifier: Apache-2.0
"""
import time

import numpy as np

import scenes


class Py4DSTEM:
    name = "py4DSTEM"

    def __init__(self, counts, positions, probe, solver, group, slices):
        assert solver == "epie" and len(probe) == slices == 1
        self.counts, self.group = counts, group
        self.positions = positions - np.floor(positions.min(0))
        self.probe = np.fft.ifftshift(probe[0] / np.linalg.norm(probe))

    def ready(self):
        import py4DSTEM
        side, pixel = self.counts.shape[1], 10 * scenes.PIXEL_NM  # it counts in angstroms
        cube = py4DSTEM.DataCube(self.counts.reshape(*scenes.raster(len(self.counts)), side, side)
                                 .astype(np.float32))
        cube.calibration.set_R_pixel_size(pixel)
        cube.calibration.set_R_pixel_units("A")
        cube.calibration.set_Q_pixel_size(1 / (side * pixel))
        cube.calibration.set_Q_pixel_units("A^-1")
        work = py4DSTEM.process.phase.SingleslicePtychography(
            datacube=cube, energy=scenes.VOLTS, semiangle_cutoff=20, device="cpu", verbose=False,
            object_type="complex", object_padding_px=(side // 2 + 4,) * 2,
            initial_probe_guess=self.probe.astype(np.complex64),
            initial_scan_positions=self.positions * pixel)
        work.preprocess(plot_center_of_mass=False, plot_rotation=False, plot_probe_overlaps=False,
                        force_com_rotation=0, force_com_transpose=False, force_com_shifts=(0, 0),
                        center_positions_in_fov=False)
        return work

    def run(self, iterations):
        work = self.ready()
        settings = {"max_batch_size": self.group, "step_size": 1.0, "fix_probe_com": False,
                    "progress_bar": False, "store_iterations": False}
        start = time.perf_counter(), time.process_time()
        # The probe moves from the second iteration on, as in all contestants.
        work.reconstruct(num_iter=1, reset=True, seed_random=1, fix_probe=True, **settings)
        work.reconstruct(num_iter=iterations - 1, reset=False, seed_random=2, **settings)
        spent = time.perf_counter() - start[0], time.process_time() - start[1]
        # Its positions are the windows' middles.
        corners = work.positions / (10 * scenes.PIXEL_NM) - self.counts.shape[1] // 2
        return spent, (corners, work.object[None], work.probe[None])
