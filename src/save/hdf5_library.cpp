// The library's lock and its texts.
// SPDX-License-Identifier: Apache-2.0
#include "save/hdf5_library.h"

#include "base/hdf5_mutex.h"

namespace sluice::save {

Library::Library() : lock_(hdf5_mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Library::~Library() {
    H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

bool write_text(hid_t object, std::string const& name, std::string const& value) {
    Handle const type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    Handle const properties(H5Pcreate(H5P_ATTRIBUTE_CREATE), H5Pclose);
    H5Pset_char_encoding(properties, H5T_CSET_UTF8);
    Handle const space(H5Screate(H5S_SCALAR), H5Sclose);
    Handle const attribute(H5Acreate2(object, name.c_str(), type, space, properties, H5P_DEFAULT),
                           H5Aclose);
    char const* text = value.c_str();
    return attribute >= 0 && H5Awrite(attribute, type, &text) >= 0;
}

}  // namespace sluice::save
