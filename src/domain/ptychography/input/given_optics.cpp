// Angles belong to far fields and lengths to near ones.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/input/given_optics.h"

#include <fmt/format.h>

#include <cmath>

#include "domain/ptychography/wrong.h"

namespace sluice::ptycho {

Status check_optics(GivenOptics const& given) {
    for (double const v :
         {given.kilovolts, given.wavelength_nm, given.detector_step_mrad, given.detector_pixel_um})
        if (!(v >= 0 && std::isfinite(v)))
            return wrong(
                "an energy, a wavelength, or a detector's step or pixel is below 0 or no number "
                "(0: not given) give numbers above 0");
    if (given.kilovolts > 10'000)
        return wrong(
            fmt::format("an energy of {:g} kV (is it in V?) give it in kV", given.kilovolts));
    if (given.kilovolts > 0 && given.wavelength_nm > 0)
        return wrong(
            "the electrons' energy and a wavelength both say what the wavelength is; give one of "
            "them");
    if (given.propagation == stem4d::Propagation::far) {
        if (given.detector_pixel_um > 0)
            return wrong(
                "the size of a detector pixel is of near fields (those of the far field have the "
                "angle of a detector pixel) give the detector step in mrad, or propagation near");
        return {};
    }
    if (given.detector_step_mrad > 0)
        return wrong(
            "the angle of a detector pixel is of far fields (a pixel of a near field is a length) "
            "give the detector pixel in um");
    if (given.center)
        return wrong(
            "a near field has no direct beam (it is an image, cut about the detector's middle) "
            "leave its place (center, --disk) out");
    return {};
}

double wavelength_of(double kilovolts, double wavelength_nm) {
    return wavelength_nm > 0 ? wavelength_nm
           : kilovolts > 0   ? stem4d::electron_wavelength_nm(kilovolts)
                             : 0;
}

}  // namespace sluice::ptycho
