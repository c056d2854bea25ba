# doctest: the C++ tests' framework, one header.
if(ROOTLEAF_SYSTEM_DEPENDENCIES)
  find_package(doctest QUIET)
  if(TARGET doctest::doctest)
    rootleaf_use_system(doctest doctest::doctest)
  endif()
endif()

if(NOT TARGET rootleaf::doctest)
  rootleaf_fetch(doctest "https://github.com/doctest/doctest/archive/refs/tags/v2.4.11.tar.gz"
                 632ed2c05a7f53fa961381497bf8069093f0d6628c5f26286161fbd32a560186)
  if(doctest_SOURCE_DIR)
    add_library(rootleaf_doctest INTERFACE)
    target_include_directories(rootleaf_doctest SYSTEM INTERFACE "${doctest_SOURCE_DIR}")
    add_library(rootleaf::doctest ALIAS rootleaf_doctest)
  endif()
endif()
