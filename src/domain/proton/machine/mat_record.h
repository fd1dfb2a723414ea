// Structures of matRad's files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "format/mat/mat.h"

namespace sluice::proton {

/// A structure of the file, by what errors call it.
class MatRecord {
  public:
    MatRecord(mat::Value const& of, index at, std::string name, std::string const& file)
        : of_(&of), at_(at), name_(std::move(name)), file_(&file) {}

    Error wrong(std::string_view field, std::string_view text) const;
    /// Null where the field is not there, or empty.
    mat::Value const* find(std::string_view field) const;
    Result<mat::Value const*> array(std::string_view field) const;
    Result<std::vector<double>> numbers(std::string_view field) const;
    Result<double> number(std::string_view field) const;
    Result<double> number_or(std::string_view field, double otherwise) const;
    /// Empty where there is none.
    std::string text(std::string_view field) const;
    /// Of one structure.
    Result<MatRecord> record(std::string_view field) const;

  private:
    mat::Value const* of_;
    index at_;
    std::string name_;
    std::string const* file_;
};

}  // namespace sluice::proton
