# Headers of other people that most files read, compiled once for each kind of target.
#
# Only headers in angle brackets stand here: their text is the same in each clone, so that ccache
# finds what another clone compiled. CLI11 is none of them: its header defines objects, which every
# file that reads it compiles anew, wanted or not.
option(SLUICE_PCH "precompile headers of other people (off: each file must name what it uses)" ON)

# Where GCC 12 reads precompiled headers, it forgets that they are the system's, and tells what it
# thinks of std::string: that it is written beyond its bounds (GCC's bugs 105329 and 105651).
if(SLUICE_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(sluice_flags INTERFACE
        $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-restrict>)
endif()

set(SLUICE_PCH_plain <algorithm> <array> <chrono> <cstdint> <filesystem> <fstream> <functional>
    <map> <memory> <mutex> <optional> <span> <string> <string_view> <thread> <variant> <vector>
    <fmt/format.h>)
set(SLUICE_PCH_json ${SLUICE_PCH_plain} <nlohmann/json.hpp>)
set(SLUICE_PCH_test ${SLUICE_PCH_plain} <gtest/gtest.h>)
set(SLUICE_PCH_test_json ${SLUICE_PCH_json} <gtest/gtest.h>)

# sluice_precompiled(target kind): `target` reads the headers of a kind above, compiled once.
function(sluice_precompiled target kind)
    if(NOT SLUICE_PCH)
        return()
    endif()
    if(NOT TARGET pch_${kind})
        set(empty "${CMAKE_BINARY_DIR}/generated/pch_${kind}.cpp")
        file(CONFIGURE OUTPUT "${empty}" CONTENT "// The headers alone.\n")
        add_library(pch_${kind} OBJECT "${empty}")
        target_link_libraries(pch_${kind} PRIVATE sluice_flags fmt::fmt)
        if(kind MATCHES "json")
            target_link_libraries(pch_${kind} PRIVATE nlohmann_json::nlohmann_json)
        endif()
        if(kind MATCHES "test")
            target_link_libraries(pch_${kind} PRIVATE GTest::gtest)
        endif()
        target_precompile_headers(pch_${kind} PRIVATE ${SLUICE_PCH_${kind}})
    endif()
    target_precompile_headers(${target} REUSE_FROM pch_${kind})
endfunction()
