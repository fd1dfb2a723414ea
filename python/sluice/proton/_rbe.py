"""RBE: how much more protons do than photons.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Iterable, Tuple, Union

import numpy as np

from .. import _core
from .._arrays import as_numbers, as_numpy
from .._errors import InvalidArgument
from .._options import RbeModel
from .._volume import Volume, as_volume
from ._physics import _number
from ._plan import Structure
from ._structures import check_coordinates, named_contours


def rbe(dose: Any, let: Any, alpha_beta: Any = 2.0, *, model: RbeModel = "mcnamara") -> Any:
    """The RBE of a dose of one fraction; arguments of any shape that fit together.

    Args:
        dose: Gy, at least 0; at 0 it is the limit RBEmax.
        let: dose-averaged LET, keV/um in water.
        alpha_beta: of photons, Gy.
        model: "mcnamara" (2015), "wedenberg" (2013), "carabe" (2012) or "constant" (1.1).

    Example:
        >>> from sluice import proton
        >>> round(proton.rbe(2, 2.5, 2), 4)
        1.1936
    """
    arrays = np.broadcast_arrays(*(np.asarray(as_numpy(v, n), np.float64) for v, n in (
        (dose, "dose"), (let, "let"), (alpha_beta, "alpha_beta"))))
    if not all(np.all(np.isfinite(a)) for a in arrays):
        raise InvalidArgument("doses, LET and alpha/beta are finite numbers")
    out = _core.proton_rbe(str(model), *(np.ascontiguousarray(a.reshape(-1)) for a in arrays))
    return float(out[0]) if arrays[0].ndim == 0 else out.reshape(arrays[0].shape)


def rbe_dose(dose: Any, let: Any = None, *, model: RbeModel = "mcnamara",
             alpha_beta: "Union[float, Volume, Any]" = 2.0, fractions: int = 1) -> Volume:
    """A dose weighted by RBE: the dose of photons that does as much, Gy.

    Args:
        dose: the physical dose, Gy: a `Volume`, an array, or the name of a file. Of one fraction,
            or the sum of `fractions`.
        let: dose-averaged LET of the same grid, keV/um in water; the constant model needs none.
            Where it is NaN, 0 or above 100, RBE is 1.1.
        model: "mcnamara" (2015), "wedenberg" (2013), "carabe" (2012) or "constant" (1.1).
        alpha_beta: of photons, Gy: a number, or a map of the same grid (`alpha_beta_map`).
        fractions: how many equal ones the dose is the sum of.

    Raises:
        InvalidArgument: LET is missing where the dose is above a thousandth of the highest; grids
            that differ; a dose below 0, or one that is weighted already.

    Example:
        >>> import numpy
        >>> from sluice import proton
        >>> dose, let = numpy.full((2, 2), 60.0), numpy.full((2, 2), 2.5)
        >>> round(float(proton.rbe_dose(dose, let, fractions=30).image[0, 0]), 2)
        71.62
    """
    number = 2.0 if not np.isscalar(alpha_beta) or isinstance(alpha_beta, str) else _number(alpha_beta, "alpha_beta")
    by_map = None if np.isscalar(alpha_beta) and not isinstance(alpha_beta, str) \
        else as_volume(alpha_beta, "alpha_beta")
    return Volume._of(_core.proton_rbe_dose(
        as_volume(dose, "the dose"), None if let is None else as_volume(let, "the LET"), str(model), number,
        int(_number(fractions, "fractions")), by_map))


def alpha_beta_map(dose: Any, elsewhere: float,
                   tissues: Iterable[Tuple[Structure, float]]) -> Volume:
    """alpha/beta on a dose's grid, Gy: that of the last structure that has at least half of an element.

    Args:
        dose: a `Volume` [z, y, x] with spacing and origin, or the name of a file.
        elsewhere: what is in no structure.
        tissues: pairs of a structure of `load_structures` and its alpha/beta.

    Example:
        >>> import numpy
        >>> from sluice import proton
        >>> square = numpy.array([(-3, -3, 0), (3, -3, 0), (3, 3, 0), (-3, 3, 0.0)])
        >>> target = proton.Structure(1, "target", "PTV", (square, square + (0, 0, 3)))
        >>> dose = proton.Volume(numpy.full((1, 1, 3), 2.0), (3, 3, 3), (0, 0, 0))
        >>> proton.alpha_beta_map(dose, 2, [(target, 10)]).image.tolist()
        [[[10.0, 10.0, 2.0]]]
    """
    pairs = []
    for structure, value in tissues:
        pairs.append((named_contours(structure), _number(value, "alpha/beta")))
        check_coordinates(dose, structure)
    return Volume._of(_core.proton_alpha_beta_map(as_volume(dose, "the dose"),
                                                  _number(elsewhere, "elsewhere"), pairs))
