# Flags by target, never global: a wheel must run on every CPU of its architecture, so no -march=native.
function(rootleaf_target_flags target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 /utf-8 $<$<BOOL:${ROOTLEAF_WERROR}>:/WX>)
    return()
  endif()
  target_compile_options(
    ${target}
    PRIVATE -Wall
            -Wextra
            -Wpedantic
            -Wconversion
            -Wsign-conversion
            -Wshadow
            -Wold-style-cast
            # GCC 12 sees overlaps in std::string that are not there (its bug 105651, mended in 13).
            $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
            # Scores must be the same bits on every build of one platform.
            -ffp-contract=off
            $<$<BOOL:${ROOTLEAF_WERROR}>:-Werror>)
  if(ROOTLEAF_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ROOTLEAF_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${ROOTLEAF_SANITIZE})
  endif()
  if(ROOTLEAF_BUILD_FUZZERS)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()
