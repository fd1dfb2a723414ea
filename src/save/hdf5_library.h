// libhdf5 for those who write with it: one thread at a time, silent, its identifiers closed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>

namespace sluice::save {

/// An HDF5 identifier that closes itself; negative when the library refused.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    Handle(Handle const&) = delete;
    Handle& operator=(Handle const&) = delete;
    ~Handle() { reset(); }
    operator hid_t() const { return id_; }
    /// Closes it now; true where that went well.
    bool reset() {
        bool const good = id_ >= 0 && close_(id_) >= 0;
        id_ = -1;
        return good;
    }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// While one lives, this thread alone calls libhdf5, and libhdf5 prints nothing.
class Library {
  public:
    Library();
    Library(Library const&) = delete;
    Library& operator=(Library const&) = delete;
    ~Library();

  private:
    std::unique_lock<std::recursive_mutex> lock_;
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

/// An attribute of a UTF-8 text.
bool write_text(hid_t object, std::string const& name, std::string const& value);

}  // namespace sluice::save
