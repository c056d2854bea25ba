# utf8proc: Unicode categories, case folding, decomposition and grapheme borders.
rootleaf_find_by_pkg_config(utf8proc libutf8proc)

if(NOT TARGET rootleaf::utf8proc)
  rootleaf_fetch(
    utf8proc "https://github.com/JuliaStrings/utf8proc/archive/refs/tags/v2.9.0.tar.gz"
    18c1626e9fc5a2e192311e36b3010bfc698078f692888940f1fa150547abb0c1)
  if(utf8proc_SOURCE_DIR)
    rootleaf_add_fetched(utf8proc "${utf8proc_SOURCE_DIR}" "${utf8proc_SOURCE_DIR}/utf8proc.c")
    target_compile_definitions(rootleaf_utf8proc PUBLIC UTF8PROC_STATIC)
  endif()
endif()
