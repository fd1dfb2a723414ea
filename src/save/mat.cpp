// MAT files: elements of a tag and its bytes, one inside the other.
// SPDX-License-Identifier: Apache-2.0
#include "save/mat.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/file.h"

namespace sluice::save {
namespace {

static_assert(std::endian::native == std::endian::little, "the header says so");

// Numbers of the format's own tables.
enum class Type : std::uint32_t {
    int8 = 1,
    uint16 = 4,
    int32 = 5,
    uint32 = 6,
    float64 = 9,
    matrix = 14
};
enum class Class : std::uint32_t { structure = 2, text = 4, numbers = 6 };
constexpr std::size_t longest_name = 31;

template <class T>
std::string bytes_of(std::vector<T> const& values) {
    std::string out(values.size() * sizeof(T), '\0');
    if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
    return out;
}

std::string element(Type type, std::string const& content) {
    expects(content.size() <= std::numeric_limits<std::uint32_t>::max() - 8);
    std::string out = bytes_of(std::vector<std::uint32_t>{
        static_cast<std::uint32_t>(type), static_cast<std::uint32_t>(content.size())});
    out += content;
    out.append((8 - content.size() % 8) % 8, '\0');
    return out;
}

std::string matrix(Class kind, index rows, index columns, std::string const& name,
                   std::string const& content) {
    std::string out = element(
        Type::uint32, bytes_of(std::vector<std::uint32_t>{static_cast<std::uint32_t>(kind), 0}));
    out += element(Type::int32,
                   bytes_of(std::vector<std::int32_t>{static_cast<std::int32_t>(rows),
                                                      static_cast<std::int32_t>(columns)}));
    out += element(Type::int8, name);
    return element(Type::matrix, out + content);
}

std::string encoded(std::string const& name, MatValue const& value);

std::string encoded(std::string const& name, Array<double> const& a) {
    expects(a.shape.size() == 2 && a.shape[0] * a.shape[1] == a.size());
    return matrix(Class::numbers, a.shape[1], a.shape[0], name,
                  element(Type::float64, bytes_of(a.values)));
}

std::string encoded(std::string const& name, std::string const& text) {
    std::vector<std::uint16_t> const letters(text.begin(), text.end());
    return matrix(Class::text, 1, static_cast<index>(text.size()), name,
                  element(Type::uint16, bytes_of(letters)));
}

std::string encoded(std::string const& name, std::vector<MatStructure> const& all) {
    constexpr std::size_t room = longest_name + 1;
    // How long the names are, in the short form of an element that MATLAB itself writes here.
    std::string content = bytes_of(std::vector<std::uint32_t>{
        4u << 16 | static_cast<std::uint32_t>(Type::int32), static_cast<std::uint32_t>(room)});
    std::string names, fields;
    for (MatStructure const& one : all) {
        expects(one.size() == all[0].size());
        for (std::size_t i = 0; i < one.size(); ++i) {
            expects(one[i].name == all[0][i].name && one[i].name.size() <= longest_name);
            fields += encoded("", one[i].value);
            if (&one != &all[0]) continue;
            names += one[i].name;
            names.append(room - one[i].name.size(), '\0');
        }
    }
    content += element(Type::int8, names) + fields;
    return matrix(Class::structure, 1, static_cast<index>(all.size()), name, content);
}

std::string encoded(std::string const& name, MatValue const& value) {
    return std::visit([&](auto const& v) { return encoded(name, v); }, value);
}

std::string header() {
    std::string out = "MATLAB 5.0 MAT-file, written by sluice";
    out.resize(116, ' ');
    out.append(8, '\0');
    // Version 1.0, and the byte order.
    return out + std::string("\x00\x01IM", 4);
}

}  // namespace

MatValue mat_number(double value) {
    return Array<double>{{1, 1}, {value}};
}

MatValue mat_row(std::vector<double> values) {
    auto const n = static_cast<index>(values.size());
    return Array<double>{{n, 1}, std::move(values)};
}

MatValue mat_column(std::vector<double> values) {
    auto const n = static_cast<index>(values.size());
    return Array<double>{{1, n}, std::move(values)};
}

MatValue mat_rows(std::vector<std::vector<double>> const& rows) {
    Array<double> out{{std::ssize(rows[0]), std::ssize(rows)}, {}};
    for (std::size_t column = 0; column < rows[0].size(); ++column)
        for (std::vector<double> const& row : rows) out.values.push_back(row.at(column));
    return out;
}

Status save_mat(std::string const& path, MatField const& variable) {
    std::string const bytes = header() + encoded(variable.name, variable.value);
    SLUICE_TRY(NewFile file, NewFile::create(path));
    SLUICE_CHECK(file.write(std::as_bytes(std::span(bytes))));
    return file.commit();
}

}  // namespace sluice::save
