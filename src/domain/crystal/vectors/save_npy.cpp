// Vectors as NPY: records, and behind them what records cannot say.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>

#include "base/file.h"
#include "domain/crystal/vectors/files.h"
#include "save/npy_header.h"

namespace sluice::crystal {
namespace {

/// One record for each disk, in pieces of a megabyte.
class Records {
  public:
    Records(NewFile& file, ColumnSource& v) : file_(file), v_(v) {}

    Status write() {
        SLUICE_CHECK(each_disk(v_, [&](index p, DiskValues const& disk) -> Status {
            put(static_cast<std::int32_t>(p / v_.scan_shape[1]));
            put(static_cast<std::int32_t>(p % v_.scan_shape[1]));
            for (float const value : disk) put(value);
            return bytes_.size() < piece ? Status{} : flush();
        }));
        return flush();
    }

  private:
    static constexpr std::size_t piece = 1 << 20;

    template <class T>
    void put(T value) {
        bytes_.resize(bytes_.size() + sizeof value);
        std::memcpy(bytes_.data() + bytes_.size() - sizeof value, &value, sizeof value);
    }
    Status flush() {
        SLUICE_CHECK(file_.write(bytes_));
        bytes_.clear();
        return {};
    }

    NewFile& file_;
    ColumnSource& v_;
    std::vector<std::byte> bytes_ = {};
};

template <class T>
Status add(NewFile& file, char const* type, std::vector<index> const& shape, T const& values) {
    std::string const head = save::npy_header(type, shape);
    SLUICE_CHECK(file.write(std::as_bytes(std::span(head))));
    return file.write(std::as_bytes(std::span(values)));
}

}  // namespace

std::string record_descr() {
    std::string text = "[('pattern_row', '<i4'), ('pattern_col', '<i4')";
    for (Column const& c : columns) text += fmt::format(", ('{}', '<f4')", c.name);
    return text + "]";
}

// numpy.load() reads the records; called again on the open file it reads the arrays behind them.
Status save_npy(std::string const& path, ColumnSource& v) {
    SLUICE_TRY(std::uint64_t const digest, digest_of(v));
    SLUICE_TRY(NewFile file, NewFile::create(path));
    std::string const head = save::npy_header(record_descr(), {v.size()});
    SLUICE_CHECK(file.write(std::as_bytes(std::span(head))));
    SLUICE_CHECK(Records(file, v).write());
    std::array<std::int64_t, 4> const shapes{v.scan_shape[0], v.scan_shape[1], v.detector_shape[0],
                                             v.detector_shape[1]};
    SLUICE_CHECK(add(file, "'<i8'", {4}, shapes));
    SLUICE_CHECK(add(file, "'|u1'", {v.scan_shape[0], v.scan_shape[1]}, v.reason));
    SLUICE_CHECK(add(file, "'<u8'", {}, std::array{digest}));
    return file.commit();
}

}  // namespace sluice::crystal
