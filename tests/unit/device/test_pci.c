/* Paths of what the kernel tells of a GPU. */
#include "bench/device/pci.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void a_path_has_small_letters_in_its_address(void **state) {
    (void)state;
    char path[PATH_MAX], far[PATH_MAX];
    assert_true(pci_path("/Sys/Bus", "0000:AF:0C.0", "Local_cpus", path));
    assert_string_equal(path, "/Sys/Bus/0000:af:0c.0/Local_cpus");
    assert_true(pci_path("/s", "A", "N", path));
    assert_string_equal(path, "/s/a/N");
    assert_false(pci_path("/s", "", "N", path));
    memset(far, 'f', sizeof far);
    far[PATH_MAX - 1 - strlen("/0/n")] = 0; /* fits to the byte */
    assert_true(pci_path(far, "0", "n", path));
    assert_int_equal(strlen(path), PATH_MAX - 1);
    assert_false(pci_path(far, "00", "n", path));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_path_has_small_letters_in_its_address)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
