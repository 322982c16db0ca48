# Writes ${header}: the commit of ${source}, with "-dirty" where tracked files differ from it, or "" where
# it is no git checkout of its own. GIT_OPTIONAL_LOCKS keeps a build from taking the index's lock.
cmake_minimum_required(VERSION 3.25)
set(commit "")
find_program(git git)
if(git)
  set(ENV{GIT_OPTIONAL_LOCKS} 0)
  execute_process(COMMAND ${git} -C ${source} rev-parse --show-cdup
    OUTPUT_VARIABLE up RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed AND up STREQUAL "")
    execute_process(COMMAND ${git} -C ${source} describe --always --dirty --abbrev=40 --exclude=*
      OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
endif()
file(CONFIGURE OUTPUT ${header} CONTENT "#define GEMMGATE_GIT_COMMIT \"@commit@\"\n" @ONLY)
