// H5Writer: groups, datasets and attributes by path, with one check at the end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <variant>

#include "base/file.h"
#include "base/kept_file.h"
#include "format/nxmx/writer_library.h"
#include "sluice/dtype.h"

namespace sluice::nxmx {

using hdf5::Handle;

template <class T>
hid_t h5_type();
hid_t h5_type(DType t);

/// Writes into one HDF5 file under a NewFile's or a KeptFile's temporary name. The first failure is
/// remembered, and what follows it does nothing. The caller holds a hdf5::LibraryLock.
class H5Writer {
  public:
    static Result<H5Writer> create(std::string const& path);
    static Result<H5Writer> create_kept(std::string const& path);

    hid_t id() const { return h5_.id(); }
    bool good() const { return good_; }
    void check(bool good);
    /// Takes the room for `bytes` more bytes before they are written, since libhdf5 does not
    /// survive a write that fails: it crashes when it later closes the file.
    void reserve(std::uint64_t bytes);
    /// The same, but a disk without room is no failure of the file, which can be closed in order.
    Status make_room(std::uint64_t bytes);
    /// Whoever opens the file after this process was killed finds what was written until now.
    Status flush();
    void group(std::string const& path, std::string const& nx_class = {});
    void text(std::string const& path, std::string const& value);
    template <class T>
    void number(std::string const& path, T value, std::string const& unit = {}) {
        array<T>(path, {}, std::span(&value, 1));
        if (!unit.empty()) attribute(path, "units", unit);
    }
    /// A contiguous dataset of any shape; no shape makes a scalar.
    template <class T>
    void array(std::string const& path, std::vector<hsize_t> const& shape,
               std::span<T const> values) {
        write_array(path, shape, h5_type<T>(), values.data());
    }
    void attribute(std::string const& path, std::string const& name, std::string const& value);
    template <class T>
    void attribute(std::string const& path, std::string const& name, T value) {
        write_attribute(path, name, h5_type<T>(), &value);
    }

    /// Closes the HDF5 file, still under its temporary name, or says why it could not be written.
    Status close();
    Status commit() {
        return std::visit([](auto& file) { return file.commit(); }, file_);
    }
    /// Closes and removes a kept file.
    void abandon();
    std::string const& temporary() const {
        return std::visit(
            [](auto& file) -> auto& { return file.temporary(); }, file_);
    }
    std::string const& path() const { return path_; }

  private:
    using File = std::variant<NewFile, KeptFile>;
    H5Writer(File file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
    static Result<H5Writer> create_in(File file, std::string const& path);
    int take_room(std::uint64_t used, std::uint64_t wanted);
    Error no_room(int system_error) const;
    void write_array(std::string const& path, std::vector<hsize_t> const& shape, hid_t type,
                     void const* values);
    void write_attribute(std::string const& path, std::string const& name, hid_t type,
                         void const* value);

    File file_;  // before h5_, so that HDF5 lets go of the file before it is removed
    std::string path_;
    Handle h5_;
    bool good_ = true;
    int system_error_ = 0;
    std::uint64_t reserved_ = 0;  // bytes of the file that the disk has room for
};

/// A property list of `kind` without the time of writing: the same input makes the same bytes.
Handle untimed(hid_t kind);

}  // namespace sluice::nxmx
