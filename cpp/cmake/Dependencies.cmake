# Each dependency becomes one rootleaf::<name> target, found on the system.
find_package(PkgConfig REQUIRED)

find_package(roaring REQUIRED)
add_library(rootleaf_roaring INTERFACE)
target_link_libraries(rootleaf_roaring INTERFACE roaring::roaring)
add_library(rootleaf::roaring ALIAS rootleaf_roaring)

pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
add_library(rootleaf::utf8proc ALIAS PkgConfig::utf8proc)

pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
add_library(rootleaf::xxhash ALIAS PkgConfig::xxhash)

find_path(ROOTLEAF_STEMMER_INCLUDE_DIR libstemmer.h REQUIRED)
find_library(ROOTLEAF_STEMMER_LIBRARY stemmer REQUIRED)
add_library(rootleaf_stemmer INTERFACE)
target_include_directories(rootleaf_stemmer SYSTEM INTERFACE "${ROOTLEAF_STEMMER_INCLUDE_DIR}")
target_link_libraries(rootleaf_stemmer INTERFACE "${ROOTLEAF_STEMMER_LIBRARY}")
add_library(rootleaf::stemmer ALIAS rootleaf_stemmer)
