# Facts about this build that the manifest records. The commit is asked for at every build, not at
# configure time, and its header is touched only when it changes.
add_custom_target(git_commit
  BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/facts/git_commit.h
  COMMAND ${CMAKE_COMMAND} -D source=${CMAKE_SOURCE_DIR}
          -D header=${CMAKE_CURRENT_BINARY_DIR}/facts/git_commit.h
          -P ${CMAKE_CURRENT_SOURCE_DIR}/git_commit.cmake
  COMMENT "Asking git for the commit" VERBATIM)

string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
get_directory_property(options COMPILE_OPTIONS)
list(FILTER options INCLUDE REGEX "COMPILE_LANGUAGE:C>:|^-")
string(REGEX REPLACE "\\$<\\$<COMPILE_LANGUAGE:C>:([^>]*)>" "\\1" options "${options}")
list(JOIN options " " options)
string(STRIP "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${config}} ${options}" flags)
string(REGEX REPLACE " +" " " flags "${flags}")

set(cuda_compiler "")
set(cuda_architectures "")
if(HAVE_CUDA)
  set(cuda_compiler "${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}")
  list(JOIN GEMMGATE_CUDA_ARCHITECTURES " " cuda_architectures)
endif()

add_dependencies(run_parts git_commit)
target_include_directories(run_parts PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/facts)
target_compile_definitions(run_parts PRIVATE
  GEMMGATE_VERSION="${PROJECT_VERSION}"
  GEMMGATE_COMPILER="${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
  GEMMGATE_FLAGS="${flags}"
  GEMMGATE_CUDA_COMPILER="${cuda_compiler}"
  GEMMGATE_CUDA_ARCHITECTURES="${cuda_architectures}")
