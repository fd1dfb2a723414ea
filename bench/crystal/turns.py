"""Rotations and disorientations by NumPy alone, in the frames of docs/design/028: nothing here is sluice's.

A matrix M or a quaternion (w, x, y, z) takes a vector of the sample to the crystal: v_crystal = M v_sample.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np


def random_quaternions(draw, *shape):
    """Uniform over all rotations, w >= 0."""
    q = draw.normal(size=(*shape, 4))
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(q[..., :1] < 0, -q, q)


def matrix(q):
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    return np.stack(rows, -1).reshape(*np.shape(w), 3, 3)


def quaternion(m):
    """Of matrices [.., 3, 3], w >= 0: the eigenvector of the symmetric matrix of Bar-Itzhack (10.2514/2.4654)."""
    m = np.asarray(m, float)
    k = np.zeros((*m.shape[:-2], 4, 4))
    k[..., 0, 0] = m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2]
    for n, (i, j) in enumerate(((2, 1), (0, 2), (1, 0)), 1):
        k[..., 0, n] = k[..., n, 0] = m[..., i, j] - m[..., j, i]
    for i in range(3):
        for j in range(3):
            k[..., i + 1, j + 1] = m[..., i, j] + m[..., j, i] - (i == j) * k[..., 0, 0]
    q = np.linalg.eigh(k)[1][..., -1]
    return np.where(q[..., :1] < 0, -q, q)


def about(axis, degrees):
    """The active rotation of a vector, counter-clockwise if the axis points at the eye."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    half = np.radians(degrees) / 2
    return matrix(np.concatenate([[np.cos(half)], np.sin(half) * axis]))


def disorientation(one, other, symmetry):
    """Degrees between matrices [.., 3, 3] of one phase with the rotations [n, 3, 3] of its crystal."""
    between = one @ np.swapaxes(other, -1, -2)
    traces = np.einsum("nij,...ji->...n", symmetry, between)
    return np.degrees(np.arccos(np.clip((traces.max(-1) - 1) / 2, -1, 1)))
