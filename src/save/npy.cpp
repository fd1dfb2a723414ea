// save_npy: NumPy's own file format, version 1.0.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/run.h"
#include "save/npy_header.h"
#include "sluice/save.h"

namespace sluice {
namespace {

template <class T>
struct Descr;
// clang-format off
template <> struct Descr<std::uint8_t> { static constexpr char name[] = "|u1"; };
template <> struct Descr<std::uint16_t> { static constexpr char name[] = "<u2"; };
template <> struct Descr<std::uint32_t> { static constexpr char name[] = "<u4"; };
template <> struct Descr<std::uint64_t> { static constexpr char name[] = "<u8"; };
template <> struct Descr<std::int64_t> { static constexpr char name[] = "<i8"; };
template <> struct Descr<float> { static constexpr char name[] = "<f4"; };
template <> struct Descr<double> { static constexpr char name[] = "<f8"; };
// clang-format on

std::string header_of(char const* type, std::vector<index> const& shape) {
    return save::npy_header(fmt::format("'{}'", type), shape);
}

}  // namespace

template <class T>
Status save_npy(std::string const& path, Array<T> const& array) {
    index n = 1;
    for (index e : array.shape) n *= e;
    expects(n == array.size());
    std::string const header = header_of(Descr<T>::name, array.shape);
    SLUICE_TRY(NewFile file, NewFile::create(path));
    SLUICE_CHECK(file.write(std::as_bytes(std::span(header))));
    SLUICE_CHECK(file.write(std::as_bytes(std::span(array.values))));
    return file.commit();
}

Status save_npy(std::string const& path, Elements const& array, Progress const& progress) {
    constexpr std::pair<DType, char const*> names[] = {
        {DType::boolean, "|b1"}, {DType::i8, "|i1"},   {DType::u8, "|u1"},  {DType::i16, "<i2"},
        {DType::u16, "<u2"},     {DType::i32, "<i4"},  {DType::u32, "<u4"}, {DType::i64, "<i8"},
        {DType::u64, "<u8"},     {DType::f16, "<f2"},  {DType::f32, "<f4"}, {DType::f64, "<f8"},
        {DType::c64, "<c8"},     {DType::c128, "<c16"}};
    auto const* const name = std::find_if(std::begin(names), std::end(names),
                                          [&](auto const& n) { return n.first == array.dtype; });
    if (name == std::end(names))
        return Error{Code::unsupported,
                     fmt::format("NPY has no {} (NumPy's own types) save float32 instead",
                                 name_of(array.dtype)),
                     path};
    std::string const header = header_of(name->second, array.shape);
    SLUICE_TRY(NewFile file, NewFile::create(path));
    SLUICE_CHECK(file.write(std::as_bytes(std::span(header))));
    constexpr std::size_t piece = 8 << 20;
    for (std::size_t at = 0; at < array.bytes.size(); at += piece) {
        SLUICE_CHECK(tell_progress(progress, at, array.bytes.size(), "nothing was written", path));
        SLUICE_CHECK(file.write(array.bytes.subspan(at, std::min(piece, array.bytes.size() - at))));
    }
    return file.commit();
}

template Status save_npy(std::string const&, Array<std::uint8_t> const&);
template Status save_npy(std::string const&, Array<std::uint16_t> const&);
template Status save_npy(std::string const&, Array<std::uint32_t> const&);
template Status save_npy(std::string const&, Array<std::uint64_t> const&);
template Status save_npy(std::string const&, Array<std::int64_t> const&);
template Status save_npy(std::string const&, Array<float> const&);
template Status save_npy(std::string const&, Array<double> const&);

}  // namespace sluice
