// DicomReference out of a CT and a plan.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "format/dicom/apart_files.h"
#include "format/dicom/ct.h"
#include "format/dicom/dose.h"
#include "format/dicom/load.h"
#include "sluice/dicom.h"

namespace sluice {
namespace dicom {
namespace {

struct Copied {
    Tag tag;
    std::string DicomReference::*to;
};
constexpr Copied copied[] = {
    {tags::patient_name, &DicomReference::patient_name},
    {tags::patient_id, &DicomReference::patient_id},
    {tags::birth_date, &DicomReference::birth_date},
    {tags::sex, &DicomReference::sex},
    {tags::study_uid, &DicomReference::study_uid},
    {tags::study_date, &DicomReference::study_date},
    {tags::study_time, &DicomReference::study_time},
    {tags::study_id, &DicomReference::study_id},
    {tags::accession_number, &DicomReference::accession_number},
    {tags::referring_physician, &DicomReference::physician},
    {tags::frame_of_reference, &DicomReference::frame_of_reference},
};

DicomReference reference_of(Values const& v) {
    DicomReference out;
    for (Copied const& c : copied) out.*c.to = v.text(c.tag);
    return out;
}

// What both say has to agree: a dose on another patient's CT would be believed.
Status check_same(Values const& plan, std::string const& ct, DicomReference const& of_ct, Tag tag,
                  std::string DicomReference::*member) {
    std::string const here = plan.text(tag);
    if (here.empty() || (of_ct.*member).empty() || here == of_ct.*member) return {};
    return plan.wrong(tag, fmt::format("that of {} is '{}'", ct, of_ct.*member),
                      "give the CT that the plan was made on", Code::invalid_argument);
}

}  // namespace
}  // namespace dicom

Result<DicomReference> dicom_reference(std::string const& ct, std::string const& plan) {
    using namespace dicom;
    DicomReference out;
    if (!ct.empty()) {
        SLUICE_TRY(CtSeries const series, find_ct(ct));
        std::string const& file = series.slices[0].file;
        SLUICE_TRY(Dataset const dataset, read_dataset(file));
        out = reference_of(Values(dataset, file));
    }
    if (plan.empty()) return out;
    SLUICE_TRY(Dataset const dataset, read_dataset(plan));
    Values const v(dataset, plan);
    if (v.text(tags::sop_class) != classes::ion_plan)
        return v.wrong(tags::sop_class, "an RT ion plan is needed", "give one", Code::unsupported);
    if (ct.empty()) out = reference_of(v);
    SLUICE_CHECK(check_same(v, ct, out, tags::patient_id, &DicomReference::patient_id));
    SLUICE_CHECK(
        check_same(v, ct, out, tags::frame_of_reference, &DicomReference::frame_of_reference));
    SLUICE_TRY(out.plan_uid, v.needed_text(tags::sop_instance));
    return out;
}

Result<DicomReference> reference_of_dose(std::string const& path) {
    using namespace dicom;
    if (!is_dicom(path)) return DicomReference{};
    SLUICE_TRY(VolumeFiles const files, volume_in(path));
    SLUICE_TRY(Dataset const dataset, read_dataset(files.path));
    DicomReference out = reference_of(Values(dataset, files.path));
    SLUICE_TRY(DoseFile const dose, read_dose(dataset, files.path));
    out.plan_uid = dose.plan_uid;
    return out;
}

}  // namespace sluice
