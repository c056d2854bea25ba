# Each dependency becomes one target rootleaf::<name>, whichever way it was found: on the system
# first, else fetched at a pinned version and hash and built as a static library from its sources.
include(FetchContent)

option(ROOTLEAF_SYSTEM_DEPENDENCIES "Use the libraries that the system has" ON)
option(ROOTLEAF_FETCH_DEPENDENCIES "Download the libraries that the system lacks" ON)

set(rootleaf_install_hint
    "  Debian, Ubuntu: apt-get install libroaring-dev libutf8proc-dev libstemmer-dev libxxhash-dev doctest-dev pkg-config\n"
    "  Fedora:         dnf install croaring-devel utf8proc-devel libstemmer-devel xxhash-devel doctest-devel pkgconf\n"
    "  macOS:          brew install croaring utf8proc snowball xxhash doctest pkgconf")
string(JOIN "" rootleaf_install_hint ${rootleaf_install_hint})
set(rootleaf_missing_dependencies "")
find_package(PkgConfig QUIET)

# Declares rootleaf::<name> as what a package's own target offers, its headers as system headers.
function(rootleaf_use_system name target)
  add_library(rootleaf_${name} INTERFACE)
  target_link_libraries(rootleaf_${name} INTERFACE ${target})
  add_library(rootleaf::${name} ALIAS rootleaf_${name})
endfunction()

# Finds a library that has no CMake package by pkg-config; leaves the target undefined if it is not there.
function(rootleaf_find_by_pkg_config name module)
  if(NOT PKG_CONFIG_FOUND OR NOT ROOTLEAF_SYSTEM_DEPENDENCIES)
    return()
  endif()
  pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
  if(${name}_FOUND)
    rootleaf_use_system(${name} PkgConfig::${name})
  endif()
endfunction()

# Fetches a source archive if downloads are allowed, and sets <name>_SOURCE_DIR; else notes that it is missing.
# SOURCE_SUBDIR names a folder without a CMakeLists.txt, so that a project's own install rules and
# options stay out of this build.
macro(rootleaf_fetch name url sha256)
  string(TOUPPER ${name} rootleaf_upper_name)
  if(ROOTLEAF_FETCH_DEPENDENCIES OR FETCHCONTENT_SOURCE_DIR_${rootleaf_upper_name})
    message(
      STATUS "Rootleaf: ${name} is not taken from the system, but from ${url}\n"
             "   If this cannot be downloaded here, install it and configure again:\n"
             "${rootleaf_install_hint}")
    FetchContent_Declare(
      ${name}
      URL "${url}"
      URL_HASH SHA256=${sha256}
      DOWNLOAD_EXTRACT_TIMESTAMP OFF
      SOURCE_SUBDIR no-build-of-its-own)
    FetchContent_MakeAvailable(${name})
  else()
    list(APPEND rootleaf_missing_dependencies ${name})
  endif()
endmacro()

# Builds rootleaf::<name> from fetched C sources: position-independent, hidden, without our warnings.
function(rootleaf_add_fetched name include_dir)
  add_library(rootleaf_${name} STATIC ${ARGN})
  target_include_directories(rootleaf_${name} SYSTEM PUBLIC "${include_dir}")
  set_target_properties(rootleaf_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON C_STANDARD 11
                                                    C_VISIBILITY_PRESET hidden)
  add_library(rootleaf::${name} ALIAS rootleaf_${name})
endfunction()

include(dependencies/Roaring)
include(dependencies/Utf8proc)
include(dependencies/Stemmer)
include(dependencies/XxHash)
if(ROOTLEAF_BUILD_TESTS)
  include(dependencies/Doctest)
endif()

if(rootleaf_missing_dependencies)
  list(JOIN rootleaf_missing_dependencies ", " rootleaf_missing_text)
  message(
    FATAL_ERROR
      "Rootleaf needs libraries that this system does not have: ${rootleaf_missing_text}.\n"
      "Install them:\n${rootleaf_install_hint}\n"
      "or let CMake download them: -DROOTLEAF_FETCH_DEPENDENCIES=ON.")
endif()
