// Values of a dataset, with errors that name the file, the place in it and the tag.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "format/dicom/dataset.h"
#include "sluice/result.h"

namespace sluice::dicom {

/// A dataset, or an item of a sequence in it. It does not own the dataset.
class Values {
  public:
    /// `where`: the place of the item, as in "beam 1: "; empty: the whole file.
    Values(Dataset const& dataset, std::string file, std::string where = {})
        : dataset_(&dataset), file_(std::move(file)), where_(std::move(where)) {}

    bool has(Tag tag) const;  ///< with a value
    /// Empty where there is none. Without the spaces around it.
    std::string text(Tag tag) const;
    Result<std::string> needed_text(Tag tag) const;
    /// None where there is no value; an error where it is no finite number.
    Result<std::optional<double>> number(Tag tag) const;
    Result<double> needed_number(Tag tag) const;
    /// A whole number from `least` to `most`.
    Result<int> needed_whole(Tag tag, int least, int most) const;
    /// Empty where there is none.
    Result<std::vector<double>> numbers(Tag tag) const;
    template <std::size_t Count>
    Result<std::array<double, Count>> needed_numbers(Tag tag) const {
        SLUICE_TRY(std::vector<double> const all, needed_list(tag, Count));
        std::array<double, Count> out{};
        for (std::size_t i = 0; i < Count; ++i) out[i] = all[i];
        return out;
    }
    /// The items of a sequence; `name` numbers their places, as in "beam".
    std::vector<Values> items(Tag tag, std::string_view name) const;

    Values at(std::string where) const { return {*dataset_, file_, std::move(where)}; }
    std::string const& file() const { return file_; }
    std::string const& where() const { return where_; }
    Dataset const& dataset() const { return *dataset_; }

    /// "<where><tag> is '<value>' (<why>) <what to do>".
    Error wrong(Tag tag, std::string_view why, std::string_view what_to_do = "write the file again",
                Code code = Code::corrupt) const;
    Error missing(Tag tag, std::string_view what_to_do = {}) const;
    /// An error about the place as a whole.
    Error error(std::string_view message, Code code = Code::corrupt) const;

  private:
    Result<std::vector<double>> needed_list(Tag tag, std::size_t count) const;

    Dataset const* dataset_;
    std::string file_, where_;
};

}  // namespace sluice::dicom
