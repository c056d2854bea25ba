# CRoaring: sets of 32-bit numbers. Only its C interface is used, which is the same in 0.2.66 and later.
if(ROOTLEAF_SYSTEM_DEPENDENCIES)
  find_package(roaring QUIET)
  if(TARGET roaring::roaring)
    rootleaf_use_system(roaring roaring::roaring)
  else()
    rootleaf_find_by_pkg_config(roaring roaring)
  endif()
endif()

if(NOT TARGET rootleaf::roaring)
  rootleaf_fetch(
    roaring "https://github.com/RoaringBitmap/CRoaring/archive/refs/tags/v4.7.2.tar.gz"
    3695a0aac3e8b6f2fd3ec45151a5fb7c28b432538777b7b7473de3b83f088960)
  if(roaring_SOURCE_DIR)
    file(GLOB_RECURSE rootleaf_roaring_sources "${roaring_SOURCE_DIR}/src/*.c")
    rootleaf_add_fetched(roaring "${roaring_SOURCE_DIR}/include" ${rootleaf_roaring_sources})
  endif()
endif()
