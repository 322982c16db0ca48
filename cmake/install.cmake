# What `cmake --install` and `cpack` put where. Under share/gemmgate things lie as in the source tree: programs
# and scripts find them from their own place, so the whole can be moved.
set(data share/gemmgate)
# A wheel has libraries beside the runner. (pip --target leaves lib/ out.)
set_target_properties(gemmgate PROPERTIES INSTALL_RPATH "$ORIGIN/../libexec/gemmgate")
set(libraries "$ORIGIN")
# CUDA's need not be known to ldconfig. CMake leaves their folder out of a rpath, as nvcc's own.
if(HAVE_CUDA)
  list(APPEND libraries ${CUDAToolkit_LIBRARY_DIR} /usr/local/cuda/lib64)
endif()
set_target_properties(gemmgate-runner PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${libraries}")
install(TARGETS gemmgate RUNTIME DESTINATION bin)
install(TARGETS gemmgate-runner RUNTIME DESTINATION libexec/gemmgate)

# The header twice: for programs that are built against it, and for kernels.
install(FILES candidates/gemmgate.h DESTINATION include/gemmgate)
install(FILES candidates/gemmgate.h DESTINATION ${data}/candidates)
install(DIRECTORY candidates/standin candidates/wrapper candidates/examples DESTINATION ${data}/candidates)
install(DIRECTORY ci/ DESTINATION ${data}/ci USE_SOURCE_PERMISSIONS
  PATTERN build EXCLUDE PATTERN bench EXCLUDE PATTERN format EXCLUDE PATTERN fuzz EXCLUDE PATTERN growth EXCLUDE
  PATTERN lint EXCLUDE PATTERN "mutate*" EXCLUDE PATTERN test EXCLUDE PATTERN Containerfile EXCLUDE)
install(FILES LICENSE README.md DESTINATION share/doc/gemmgate)


# For builds of kernels: pkg-config and find_package(gemmgate), both free of the prefix.
include(CMakePackageConfigHelpers)
add_library(header INTERFACE)
target_include_directories(header INTERFACE $<INSTALL_INTERFACE:include/gemmgate>)
install(TARGETS header EXPORT gemmgate)
install(EXPORT gemmgate FILE gemmgate-config.cmake NAMESPACE gemmgate:: DESTINATION share/cmake/gemmgate)
set(made ${CMAKE_BINARY_DIR}/made)
write_basic_package_version_file(${made}/gemmgate-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${made}/gemmgate-config-version.cmake DESTINATION share/cmake/gemmgate)
file(CONFIGURE OUTPUT ${made}/gemmgate.pc @ONLY CONTENT
"prefix=\${pcfiledir}/../..
includedir=\${prefix}/include/gemmgate

Name: gemmgate
Description: The contract between gemmgate and GEMM kernels (a header)
Version: @PROJECT_VERSION@
Cflags: -I\${includedir}
")
install(FILES ${made}/gemmgate.pc DESTINATION share/pkgconfig)

set(CPACK_GENERATOR TGZ DEB External)
set(CPACK_EXTERNAL_ENABLE_STAGING ON)
set(CPACK_EXTERNAL_PACKAGE_SCRIPT ${CMAKE_SOURCE_DIR}/cmake/wheel.cmake)
set(CPACK_PACKAGE_CONTACT "the developers of gemmgate")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "benchmark and regression gate for half-precision GEMM kernels")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "gcc, libc6-dev, libopenblas0")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox")
include(CPack)
