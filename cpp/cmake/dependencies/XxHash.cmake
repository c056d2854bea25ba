# xxHash: the 128-bit keys of chunksets.
rootleaf_find_by_pkg_config(xxhash libxxhash)

if(NOT TARGET rootleaf::xxhash)
  rootleaf_fetch(xxhash "https://github.com/Cyan4973/xxHash/archive/refs/tags/v0.8.3.tar.gz"
                 aae608dfe8213dfd05d909a57718ef82f30722c392344583d3f39050c7f29a80)
  if(xxhash_SOURCE_DIR)
    rootleaf_add_fetched(xxhash "${xxhash_SOURCE_DIR}" "${xxhash_SOURCE_DIR}/xxhash.c")
  endif()
endif()
