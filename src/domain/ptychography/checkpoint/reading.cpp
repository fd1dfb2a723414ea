// Arrays of a checkpoint, their shapes compared with what the work needs before they are read.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/checkpoint/reading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hash.h"
#include "domain/ptychography/checkpoint/digest.h"
#include "domain/ptychography/checkpoint/of_share.h"
#include "format/hdf5/object/value.h"

namespace sluice::ptycho {

namespace {

using hdf5::object::LayoutClass;
using hdf5::object::TypeClass;

Error checkpoint_error(Code code, std::string const& file, std::string message) {
    return {code, std::move(message), file};
}

Error other_shape(KeptArray const& array, std::string const& name,
                  std::vector<std::uint64_t> const& wanted) {
    return checkpoint_error(
        Code::invalid_argument, array.object.file(),
        fmt::format("the checkpoint's {} has the shape {} and the reconstruction {} (the file is "
                    "damaged, or another version wrote it) begin without it",
                    name, fmt::join(array.extent, "x"), fmt::join(wanted, "x")));
}

// Plane k; the digest goes on.
template <class From, class Real>
Status read_plane(KeptArray const& array, index k, Planar<Real>& plane, std::uint64_t& sum) {
    std::vector<std::complex<From>> values(static_cast<std::size_t>(plane.rows() * plane.cols()));
    auto const bytes = std::as_writable_bytes(std::span(values));
    SLUICE_CHECK(array.read(static_cast<std::uint64_t>(k) * bytes.size(), bytes));
    sum = splitmix_digest(bytes, sum);
    auto z = values.begin();
    for (index r = 0; r < plane.rows(); ++r)
        for (index c = 0; c < plane.cols(); ++c, ++z)
            plane.set(r, c, static_cast<std::complex<Real>>(*z));
    return {};
}

}  // namespace

Error KeptArray::damaged(std::string const& what) const {
    return checkpoint_error(Code::corrupt, object.file(),
                            fmt::format("the checkpoint's {} differs from what was written (the "
                                        "file is damaged) begin without it, or take an older copy",
                                        what));
}

Status KeptArray::read(std::uint64_t offset, std::span<std::byte> out) const {
    auto read = object.source().bytes().read(at + offset, out);
    if (!read && read.error().file.empty()) read.error().file = object.file();
    return read;
}

Result<KeptArray> kept_array(hdf5::object::Object const& root, std::string const& name) {
    auto const lacks = [&](std::string_view why) {
        return checkpoint_error(
            Code::corrupt, root.file(),
            fmt::format("the checkpoint has no usable {} ({}; the file is damaged, or another "
                        "version wrote it) begin without it",
                        name, why));
    };
    SLUICE_TRY(auto const found, root.find(name));
    if (!found || !found->is_dataset()) return lacks("there is no such array");
    SLUICE_TRY(auto const info, hdf5::object::dataset_info(*found));
    KeptArray array{.object = *found, .extent = info.space.extent, .element = info.type.size};
    auto const count = info.space.count();
    auto const& source = found->source();
    if (info.layout.kind != LayoutClass::contiguous || info.external || !count ||
        !source.defined(info.layout.address) || array.element == 0 || array.element > 16)
        return lacks("it is not stored in one piece");
    array.at = source.sb().base + info.layout.address;
    std::uint64_t const size = source.bytes().size();
    if (array.at < info.layout.address || array.at > size ||
        *count > (size - array.at) / array.element)
        return lacks("it lies beyond the end of the file");
    SLUICE_TRY(auto const sum, hdf5::object::read_count(root, "digests/" + name));
    if (!sum) return lacks("its digest is missing");
    array.sum = *sum;
    array.complex = info.type.kind == TypeClass::compound;
    bool const real = info.type.kind == TypeClass::real && info.type.plain() &&
                      !info.type.big_endian && array.element == 8;
    if (!real && !(array.complex && (array.element == 8 || array.element == 16)))
        return lacks("its numbers have another type");
    return array;
}

template <class Real>
void Reading<Real>::of_patterns(std::string const& name, std::vector<Planar<Real>>& planes,
                                index each, index n) {
    if (!status) return;
    OfShare<Real> all(share_, planes, each, n);
    auto const side = static_cast<std::uint64_t>(n);
    status = read_planes(prefix + name, {static_cast<std::uint64_t>(all.count()), side, side},
                         [&](index k) { return &all.room(k); });
}

template <class Real>
void Reading<Real>::numbers(std::string const& name, std::vector<double>& numbers) {
    if (!status || numbers.empty()) return;
    status = share_.agree(root_ ? read_numbers(prefix + name, numbers) : Status{});
    if (status) share_.send(std::as_writable_bytes(std::span(numbers)), 0);
}

// All ranks learn that the array exists before the first plane comes, and after the last one
// whether its digest is right.
template <class Real>
Status Reading<Real>::read_planes(std::string const& name, std::vector<std::uint64_t> const& extent,
                                  Room const& room) {
    std::optional<KeptArray> array;
    auto const find = [&]() -> Status {
        SLUICE_TRY(array, kept_array(*root_, name));
        if (array->extent != extent || !array->complex) return other_shape(*array, name, extent);
        return {};
    };
    SLUICE_CHECK(share_.agree(root_ ? find() : Status{}));
    Status read;
    std::uint64_t sum = 0;
    for (index k = 0; k < static_cast<index>(extent.front()); ++k) {
        Planar<Real>& plane = *room(k);
        if (array && read)
            read = array->element == 8 ? read_plane<float>(*array, k, plane, sum)
                                       : read_plane<double>(*array, k, plane, sum);
        share_.send(bytes_of(plane), 0);
    }
    if (array && read && sum != array->sum) read = array->damaged(name);
    return share_.agree(read);
}

template <class Real>
Status Reading<Real>::read_numbers(std::string const& name, std::vector<double>& numbers) {
    SLUICE_TRY(KeptArray const array, kept_array(*root_, name));
    std::vector<std::uint64_t> const wanted = {numbers.size()};
    if (array.extent != wanted || array.complex) return other_shape(array, name, wanted);
    std::vector<double> read(numbers.size());
    SLUICE_CHECK(array.read(0, std::as_writable_bytes(std::span(read))));
    if (splitmix_digest(std::as_bytes(std::span(read))) != array.sum) return array.damaged(name);
    numbers = std::move(read);
    return {};
}

template class Reading<float>;
template class Reading<double>;

}  // namespace sluice::ptycho
