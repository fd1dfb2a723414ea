// Vectors as NPY: one record for each disk.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "base/file.h"
#include "sluice/bragg_vectors.h"

namespace sluice::stem4d {
namespace {

struct Column {
    char const* name;
    std::vector<float> BraggVectors::*values;
};
constexpr Column columns[] = {{"row", &BraggVectors::row},
                              {"col", &BraggVectors::col},
                              {"intensity", &BraggVectors::intensity},
                              {"background", &BraggVectors::background},
                              {"var_row", &BraggVectors::var_row},
                              {"var_col", &BraggVectors::var_col},
                              {"cov_row_col", &BraggVectors::cov_row_col},
                              {"intensity_error", &BraggVectors::intensity_error},
                              {"score", &BraggVectors::score}};

template <class T>
void put(std::vector<std::byte>& bytes, T value) {
    bytes.resize(bytes.size() + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

// NPY 1.0: what numbers follow begins at a multiple of 64 bytes.
std::string npy_head(std::string const& type, index count) {
    std::string text =
        fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({},), }}", type, count);
    text.append((64 - (text.size() + 11) % 64) % 64, ' ');
    text += '\n';
    auto const size = static_cast<unsigned>(text.size());
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(size & 255U) +
           static_cast<char>(size >> 8U) + text;
}

}  // namespace

Status save_vectors(std::string const& path, BraggVectors const& vectors) {
    if (!path.ends_with(".npy"))
        return Error{Code::unsupported,
                     "cannot be written (this build writes vectors as NPY alone) end the name with "
                     ".npy",
                     path};
    SLUICE_CHECK(check_vectors(vectors));
    std::string type = "[('pattern_row', '<i4'), ('pattern_col', '<i4')";
    for (Column const& c : columns) type += fmt::format(", ('{}', '<f4')", c.name);
    std::string const head = npy_head(type + "]", vectors.size());
    SLUICE_TRY(NewFile file, NewFile::create(path));
    SLUICE_CHECK(file.write(std::as_bytes(std::span(head))));
    for (index p = 0; p < vectors.patterns(); ++p) {
        std::vector<std::byte> bytes;
        index const first = vectors.first[static_cast<std::size_t>(p)];
        for (index i = first; i < first + vectors.count(p); ++i) {
            put(bytes, static_cast<std::int32_t>(p / vectors.scan_shape[1]));
            put(bytes, static_cast<std::int32_t>(p % vectors.scan_shape[1]));
            for (Column const& c : columns)
                put(bytes, (vectors.*c.values)[static_cast<std::size_t>(i)]);
        }
        SLUICE_CHECK(file.write(bytes));
    }
    return file.commit();
}

}  // namespace sluice::stem4d
