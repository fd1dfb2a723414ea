"""Simulated patterns of a crystal whose truth is known, by NumPy alone: nothing here is sluice's.

A pattern has logistic disks on a lattice that is strained and turned, intensities over some decades, a smooth
background, and the direct beam in the middle. `Pattern.bounds` are Cramer and Rao's: of each disk with its height and
its background free, and of the pattern's lattice and strain by the sum of what its disks tell.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses

import numpy as np


def edge(r, radius, width):
    return 1 / (1 + np.exp(np.clip(4 * (r - radius) / width, -60, 60)))


def strain_of(lattice, basis):
    """e_xx, e_yy, e_xy, omega (radian) of a lattice {origin, a, b} from a basis {a, b}, by F = beta^-T = R U."""
    beta = np.reshape(lattice, (3, 2))[1:].T @ np.linalg.inv(np.asarray(basis).T)
    f = np.linalg.inv(beta).T
    u, s, v = np.linalg.svd(f)
    stretch, turn = v.T @ np.diag(s) @ v - np.eye(2), u @ v
    # x is the row axis; omega is positive from row to column.
    return np.array([stretch[0, 0], stretch[1, 1], stretch[0, 1], np.arctan2(turn[1, 0], turn[0, 0])])


def strain_slopes(lattice, basis):
    """[4, 6]: of strain_of by the lattice's numbers."""
    step = 1e-5
    return np.stack([(strain_of(lattice + d, basis) - strain_of(lattice - d, basis)) / (2 * step)
                     for d in step * np.eye(6)], 1)


@dataclasses.dataclass
class Pattern:
    mean: np.ndarray  # of one electron
    places: np.ndarray  # [disk, 2]
    heights: np.ndarray
    indices: np.ndarray  # [disk, 2] h, k
    lattice: np.ndarray  # origin, a, b
    strain: np.ndarray  # e_xx, e_yy, e_xy, omega


@dataclasses.dataclass
class Scene:
    shape: tuple = (256, 256)
    radius: float = 8.0
    width: float = 1.0
    basis: tuple = ((25.3, 2.1), (-3.1, 24.6))
    share: float = 0.1  # of the electrons in the background
    decades: float = 3.0
    spread: float = 0.005  # of the strain
    descan: float = 1.5  # pixels to each side
    most: int = 76
    cut: bool = False  # disks that the frame cuts
    seed: int = 31

    def __post_init__(self):
        draw = np.random.default_rng(self.seed)
        rows, cols = self.shape
        h, k = (n.ravel() for n in np.mgrid[-40:41, -40:41])
        places = np.stack([h, k], 1) @ np.asarray(self.basis)
        half = np.array(self.shape) / 2
        room = -self.radius if self.cut else self.radius + 3 * self.width + 2 * self.descan + 1
        inside = (np.abs(places) <= half - room).all(1)
        order = np.argsort(np.hypot(*places[inside].T), kind="stable")[:self.most]
        self.indices = np.stack([h, k], 1)[inside][order]
        at = np.hypot(*places[inside][order].T)
        far = 0.55 * at / max(at.max(), 1e-9)
        self.base = 10**(-self.decades * np.clip(far + 0.45 * draw.random(len(at)), 0, 1))
        self.base[0] = 1
        y, x = np.mgrid[:rows, :cols]
        under = 1 / (1 + np.square(np.hypot(y - rows / 2, x - cols / 2) / (0.12 * min(self.shape)))) + 0.05
        self.under = under * self.share / under.sum()
        self.reach = int(np.ceil(self.radius + 4 * self.width + 2))

    def window(self, place):
        a, b = int(np.floor(place[0])) - self.reach, int(np.floor(place[1])) - self.reach
        size = 2 * self.reach + 2
        return np.s_[max(a, 0):min(a + size, self.shape[0]), max(b, 0):min(b + size, self.shape[1])]

    def disk(self, place, window):
        y, x = np.mgrid[window]
        return edge(np.hypot(y - place[0], x - place[1]), self.radius, self.width)

    def pattern(self, n):
        draw = np.random.default_rng([self.seed, n])
        origin = (np.array(self.shape) - 1) / 2 + draw.uniform(-1, 1, 2) * self.descan
        vectors = np.asarray(self.basis) @ (np.eye(2) + draw.normal(0, 1, (2, 2)) * self.spread)
        places = origin + self.indices @ vectors
        heights = self.base * np.exp(0.3 * draw.normal(size=len(self.base)))
        mean = np.zeros(self.shape)
        for place, height in zip(places, heights):
            window = self.window(place)
            mean[window] += height * self.disk(place, window)
        scale = (1 - self.share) / mean.sum()
        lattice = np.concatenate([origin, vectors.ravel()])
        return Pattern(mean * scale + self.under, places, heights * scale, self.indices, lattice,
                       strain_of(lattice, self.basis))

    def bounds(self, pattern, dose):
        """[disk] covariances of places and the height's signal to noise; the lattice's covariance [6, 6]."""
        covariances, signals, whole = [], [], np.zeros((6, 6))
        for place, height, (h, k) in zip(pattern.places, pattern.heights, pattern.indices):
            window, step = self.window(place), 0.01
            at = lambda u, v: self.disk(place + (u, v), window)
            slopes = np.stack([height * (at(step, 0) - at(-step, 0)) / (2 * step),
                               height * (at(0, step) - at(0, -step)) / (2 * step), at(0, 0),
                               self.under[window] / self.under[window].mean()], -1).reshape(-1, 4) * dose
            fisher = (slopes / (dose * pattern.mean[window]).reshape(-1, 1)).T @ slopes
            inverse = np.linalg.inv(fisher)
            covariances.append(inverse[:2, :2])
            signals.append(height * dose / np.sqrt(inverse[2, 2]) / dose)
            j = np.kron([1, h, k], np.eye(2))
            whole += j.T @ np.linalg.inv(inverse[:2, :2]) @ j
        return np.array(covariances), np.array(signals), np.linalg.pinv(whole)

    def strain_bound(self, pattern, lattice_covariance):
        slopes = strain_slopes(pattern.lattice, self.basis)
        return slopes @ lattice_covariance @ slopes.T


def draw(patterns, dose, seed=1, dtype=np.uint16):
    """[pattern, row, col] counts with Poisson's noise, clipped to the type."""
    noise = np.random.default_rng(seed)
    counts = np.stack([noise.poisson(p.mean * dose) for p in patterns])
    return np.minimum(counts, np.iinfo(dtype).max).astype(dtype)


def nearest(found, truth, within):
    """[found] the number of the nearest true disk, or -1; and how far each is off."""
    if not len(found) or not len(truth):
        return np.full(len(found), -1), np.zeros((len(found), 2))
    away = found[:, None] - truth[None]
    best = np.hypot(*np.moveaxis(away, -1, 0)).argmin(1)
    off = away[np.arange(len(found)), best]
    return np.where(np.hypot(*off.T) < within, best, -1), off
