# libstemmer: the Snowball stemmers. Distributions ship it without a CMake package or a .pc file.
if(ROOTLEAF_SYSTEM_DEPENDENCIES)
  find_path(ROOTLEAF_STEMMER_INCLUDE_DIR libstemmer.h)
  find_library(ROOTLEAF_STEMMER_LIBRARY stemmer)
  mark_as_advanced(ROOTLEAF_STEMMER_INCLUDE_DIR ROOTLEAF_STEMMER_LIBRARY)
  if(ROOTLEAF_STEMMER_INCLUDE_DIR AND ROOTLEAF_STEMMER_LIBRARY)
    rootleaf_use_system(stemmer "${ROOTLEAF_STEMMER_LIBRARY}")
    target_include_directories(rootleaf_stemmer SYSTEM INTERFACE "${ROOTLEAF_STEMMER_INCLUDE_DIR}")
  endif()
endif()

if(NOT TARGET rootleaf::stemmer)
  rootleaf_fetch(stemmer "https://snowballstem.org/dist/libstemmer_c-2.2.0.tar.gz"
                 b941d9fe9cf36b4e2f8d3873cd4d8b8775bd94867a1df8d8c001bb8b688377c3)
  if(stemmer_SOURCE_DIR)
    # The UTF-8 stemmers only: libstemmer_utf8.c is the table of exactly these.
    file(GLOB rootleaf_stemmer_sources "${stemmer_SOURCE_DIR}/src_c/stem_UTF_8_*.c"
         "${stemmer_SOURCE_DIR}/runtime/*.c")
    rootleaf_add_fetched(
      stemmer "${stemmer_SOURCE_DIR}/include" "${stemmer_SOURCE_DIR}/libstemmer/libstemmer_utf8.c"
      ${rootleaf_stemmer_sources})
  endif()
endif()
