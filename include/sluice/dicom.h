// DICOM: what a written dose says of the patient, and doses as files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"
#include "sluice/volume.h"

namespace sluice {

/// Whose dose it is: what the planning system needs to lay it over its CT.
struct DicomReference {
    std::string patient_name = {}, patient_id = {}, birth_date = {}, sex = {};
    std::string study_uid = {}, study_date = {}, study_time = {}, study_id = {};
    std::string accession_number = {}, physician = {};
    std::string frame_of_reference = {};  ///< the UID of the coordinates
    std::string plan_uid = {};            ///< of an RT ion plan; empty: the dose refers to none
};

/// Out of a CT series (its folder, or one of its files) and a plan; either may be empty. Fails
/// where they are of different patients or coordinates.
Result<DicomReference> dicom_reference(std::string const& ct, std::string const& plan);

/// Out of an RT dose: whose it is, and of which plan. Empty of files that are not DICOM.
Result<DicomReference> reference_of_dose(std::string const& path);

/// The UID of the coordinates that a dose or CT series of DICOM lies in. Empty of other files, and
/// where it is not told.
Result<std::string> frame_of_reference(std::string const& path);

/// A file, and the UID of the coordinates that it lies in; empty: it does not tell.
struct InCoordinates {
    std::string path, frame_of_reference;
};
Result<InCoordinates> in_coordinates(std::string const& path);
/// Whether two files lie in the same coordinates: an error of `one` where both tell theirs and they
/// differ; false where one does not tell.
Result<bool> same_coordinates(InCoordinates const& one, InCoordinates const& other);

struct DicomDoseOptions {
    bool effective = false;        ///< weighted by RBE; else physical
    std::string description = {};  ///< of the series, as people see it
    std::string comment = {};      ///< e.g. how it was computed
};

/// An RT dose of 32 bits, whole or not at all. `dose` has three axes and is in Gy, at least 0.
/// What is written depends on the arguments only, the UIDs included.
Status save_dicom_dose(std::string const& path, Volume const& dose, DicomReference const& of,
                       DicomDoseOptions const& options = {});

}  // namespace sluice
