/* Beside fake_openblas.c. Its symbol has a version that is called as its SONAME is. */
const char *fake_openblas_version(void);

const char *fake_openblas_version(void) {
    return FAKE_VERSION;
}
