// Small values by path or by attribute: numbers, counts, texts, images.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/attribute.h"

namespace sluice::hdf5::object {

/// All of these yield nothing where the object is missing, or of another kind (a text for a number,
/// a group, several values for one). A damaged object is an error.

/// A number: a scalar or one-element dataset at `path` of any numeric type.
Result<std::optional<double>> read_number(Object const& at, std::string_view path);
/// The same for whole numbers, exact to 64 bits; negative ones are nothing.
Result<std::optional<std::uint64_t>> read_count(Object const& at, std::string_view path);
/// A string of fixed or variable length, or a 1-D array of them.
Result<std::optional<std::string>> read_text(Object const& at, std::string_view path);
Result<std::vector<std::string>> read_texts(Object const& at, std::string_view path);
/// An extent without axes of one element, as far as more than two axes are left: 1x4x5 is 4x5.
std::vector<std::uint64_t> plane_of(std::vector<std::uint64_t> extent);
/// A dataset of whole numbers as u32, [row][column]; nothing if plane_of() its extent is another.
/// Negative numbers are their 32 bits.
Result<std::optional<std::vector<std::uint32_t>>> read_image(Object const& dataset, index rows,
                                                             index cols);

/// An attribute of an object: numbers (any count up to 64).
Result<std::vector<double>> attribute_numbers(Object const& object, std::string_view name);
Result<std::optional<double>> attribute_number(Object const& object, std::string_view name);
/// A string attribute, one-dimensional or a scalar.
Result<std::vector<std::string>> attribute_texts(Object const& object, std::string_view name);
/// Of each list of references in an attribute, the first object; nothing if a list is empty.
Result<std::vector<Object>> attribute_objects(Object const& object, std::string_view name);
/// A string attribute of one element.
Result<std::optional<std::string>> attribute_text(Object const& object, std::string_view name);

/// Elements as numbers; empty if they are of another type.
std::vector<double> numbers_of(Elements const& e);
/// Elements as texts, without trailing spaces; empty if they are not texts.
Result<std::vector<std::string>> texts_of(Source const& source, Elements const& e);

}  // namespace sluice::hdf5::object
