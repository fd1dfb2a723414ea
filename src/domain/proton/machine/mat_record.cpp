// Structures of matRad's files: fields, and what is wrong with them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/machine/mat_record.h"

#include <fmt/format.h>

#include <cmath>

namespace sluice::proton {

Error MatRecord::wrong(std::string_view field, std::string_view text) const {
    return {Code::invalid_argument,
            fmt::format("{}{}{} {}", name_, field.empty() ? "" : ".", field, text), *file_};
}

mat::Value const* MatRecord::find(std::string_view field) const {
    mat::Value const* const v = of_->field(field, at_);
    return v && v->count() > 0 ? v : nullptr;
}

Result<mat::Value const*> MatRecord::array(std::string_view field) const {
    mat::Value const* const v = find(field);
    if (!v) return wrong(field, "is missing; add it");
    if (v->kind != mat::Kind::numbers) return wrong(field, "is not numbers; give some");
    return v;
}

Result<std::vector<double>> MatRecord::numbers(std::string_view field) const {
    SLUICE_TRY(mat::Value const* const v, array(field));
    return v->numbers;
}

Result<double> MatRecord::number(std::string_view field) const {
    SLUICE_TRY(mat::Value const* const v, array(field));
    if (v->numbers.size() != 1 || !std::isfinite(v->numbers[0]))
        return wrong(field, "is not one number; give one");
    return v->numbers[0];
}

Result<double> MatRecord::number_or(std::string_view field, double otherwise) const {
    if (!find(field)) return otherwise;
    return number(field);
}

std::string MatRecord::text(std::string_view field) const {
    mat::Value const* const v = find(field);
    return v && v->kind == mat::Kind::text ? v->text : std::string();
}

Result<MatRecord> MatRecord::record(std::string_view field) const {
    mat::Value const* const v = find(field);
    if (!v) return wrong(field, "is missing; add it");
    if (v->kind != mat::Kind::structures || v->count() != 1)
        return wrong(field, "is not one structure; give one");
    return MatRecord(*v, 0, fmt::format("{}.{}", name_, field), *file_);
}

}  // namespace sluice::proton
