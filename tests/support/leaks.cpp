// What sanitizers shall not report: memory that other people's libraries lose, and what ZeroMQ
// hands from thread to thread. SPDX-License-Identifier: Apache-2.0

extern "C" char const* __lsan_default_suppressions();
extern "C" char const* __tsan_default_suppressions();

// Of damaged files libhdf5 does not free everything it has read; libjxr forgets tables of what it
// decodes reduced, and whatever it had when it gives up; libsndfile 1.2 forgets what libvorbis
// took. The sanitizer's library looks for the function in the program, which hides its own names.
extern "C" [[gnu::visibility("default")]] char const* __lsan_default_suppressions() {
    return "leak:libhdf5\nleak:libjpegxr\nleak:libvorbis\nleak:libsndfile\nleak:libogg\n";
}

// ZeroMQ is not built with the sanitizer, which does not see how its threads wait for each other.
extern "C" [[gnu::visibility("default")]] char const* __tsan_default_suppressions() {
    return "called_from_lib:libzmq\n";
}
