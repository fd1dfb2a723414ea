// Angles belong to far fields and lengths to near ones.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/input/given_optics.h"

#include <fmt/format.h>

#include <cmath>

#include "domain/ptychography/wrong.h"
#include "sluice/optics.h"

namespace sluice::ptycho {

Status check_optics(GivenOptics const& given) {
    for (double const v :
         {given.kilovolts, given.wavelength_nm, given.detector_step_mrad, given.detector_pixel_um})
        if (!(v >= 0 && std::isfinite(v)))
            return wrong(
                "an energy, a wavelength, or a detector's step or pixel is below 0 or not finite "
                "(0 means that it is not given) give numbers above 0");
    if (given.kilovolts > 10'000)
        return wrong(
            fmt::format("the energy is {:g} kV (is it in V?) give it in kV", given.kilovolts));
    if (given.kilovolts > 0 && given.wavelength_nm > 0)
        return wrong(
            "the electrons' energy and a wavelength are both given (each sets the wavelength); "
            "give one of them");
    if (given.propagation == stem4d::Propagation::far) {
        if (given.detector_pixel_um > 0)
            return wrong(
                "the size of a detector pixel belongs to near fields (in a far field a pixel is an "
                "angle) give the detector step in mrad, or propagation near");
        return {};
    }
    if (given.detector_step_mrad > 0)
        return wrong(
            "the angle of a detector pixel belongs to far fields (in a near field a pixel is a "
            "length) "
            "give the detector pixel in um");
    if (given.center)
        return wrong(
            "a near field has no direct beam (it is an image, cut about the detector's middle) "
            "leave center or --disk out");
    return {};
}

double wavelength_of(double kilovolts, double wavelength_nm) {
    return wavelength_nm > 0 ? wavelength_nm
           : kilovolts > 0   ? optics::electron_wavelength_nm(kilovolts)
                             : 0;
}

Result<double> wavelength_of(Scan const& scan, stem4d::PatternsOptions const& options,
                             std::vector<std::string>* notes) {
    double const given = wavelength_of(options.kilovolts, options.wavelength_nm);
    double const stated_kv = scan.dataset().energy_kv;
    if (!(stated_kv > 0)) return given;
    double const stated = optics::electron_wavelength_nm(stated_kv);
    auto const note = [&](std::string text) {
        if (notes) notes->push_back(std::move(text));
    };
    if (options.kilovolts > 0 && std::abs(options.kilovolts / stated_kv - 1) > 0.01)
        note(fmt::format("the electrons' energy is {:g} kV, as given; the file states {:g} kV",
                         options.kilovolts, stated_kv));
    if (options.wavelength_nm > 0 && std::abs(given / stated - 1) > 0.01)
        note(
            fmt::format("the wavelength is {:g} nm, as given; electrons of the file's {:g} kV "
                        "have {:g} nm",
                        given, stated_kv, stated));
    if (given > 0) return given;
    // NXmx has one field for the energy of electrons and of photons.
    if (stated_kv < 20 || stated_kv > 10'000)
        return Error{Code::invalid_argument,
                     fmt::format("states an energy of {:g} kV (below 20 kV it may be the energy of "
                                 "photons; above 10000 kV it is wrong) give the energy in kV, "
                                 "or the wavelength in nm",
                                 stated_kv),
                     scan.dataset().path};
    note(fmt::format("the electrons' energy comes from the file: {:g} kV", stated_kv));
    return stated;
}

}  // namespace sluice::ptycho
