/* No file harms an audit: what the loader would read in another way is malformed. */
#include <elf.h>
#include <fcntl.h>

#include "tests/support/audited.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

static unsigned char image[1 << 17];
static size_t image_size;

static void read_image(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    image_size = fread(image, 1, sizeof image, file);
    assert_true(image_size > sizeof(Elf64_Ehdr) && image_size < sizeof image);
    fclose(file);
}

/* Audits the first so many bytes of the image. */
static void audit_image(size_t size) {
    FILE *file = fopen(scratch_path("image.so"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(image, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    audit(scratch_path("image.so"));
}

static void *section(uint32_t type) {
    const Elf64_Ehdr *h = (const void *)image;
    Elf64_Shdr *s = (void *)(image + h->e_shoff);
    for (unsigned i = 0; i < h->e_shnum; i++)
        if (s[i].sh_type == type)
            return &s[i];
    fail_msg("no section of type %u", type);
    return NULL;
}

TEST(what_cannot_be_read_is_our_fault) {
    memset(&list, 0, sizeof list);
    assert_says(static_audit(scratch_path("none.so"), &list), -1, "none.so: No such file");
    assert_says(static_audit(scratch_path(""), &list), -1, "Is a directory");
    assert_int_equal(mkfifo(scratch_path("fifo.so"), 0600), 0);
    assert_says(static_audit(scratch_path("fifo.so"), &list), -1, "no regular file");
    assert_int_equal(list.count, 0);
}

TEST(other_files_are_malformed) {
    scratch_put("empty.so", "%s", "");
    audit(scratch_path("empty.so"));
    finds_only(FINDING_MALFORMED, "no ELF file");
    scratch_put("text.so", "This is no library, though it is longer than the header of one is.");
    audit(scratch_path("text.so"));
    finds_only(FINDING_MALFORMED, "no ELF file");
    audit(compile("program", "int main(void) { return 0; }", "-no-pie"));
    finds_only(FINDING_MALFORMED, "no shared library");
}

/* Everything that is loaded lies before the section headers. */
TEST(truncated_files_are_malformed) {
    read_image(compile("whole.so", plain, ""));
    const Elf64_Ehdr *h = (const void *)image;
    const Elf64_Phdr *p = (const void *)(image + h->e_phoff);
    size_t loaded = 0;
    for (unsigned i = 0; i < h->e_phnum; i++)
        if (p[i].p_type == PT_LOAD)
            loaded = p[i].p_offset + p[i].p_filesz;
    for (size_t size = 0; size < image_size; size += size < 1024 ? 1 : 61) {
        audit_image(size);
        if (size < loaded)
            finds(FINDING_MALFORMED, "");
        else
            assert_false(found(FINDING_MALFORMED, ""));
    }
}

/* Whatever a byte becomes, the audit ends and says something or nothing. */
TEST(flipped_bytes_do_no_harm) {
    static const unsigned char masks[] = {0xff, 0x01, 0x80, 0x10};
    const char *path =
        compile("whole.so",
                "int fork(void); __attribute__((constructor)) static void mine(void) {}"
                "int kernel(void) { return fork(); }",
                "");
    size_t malformed = 0;
    read_image(path);
    int file = open(path, O_WRONLY);
    assert_true(file >= 0);
    for (size_t i = 0; i < image_size; i++)
        for (size_t k = 0; k < sizeof masks; k++) {
            const unsigned char byte = image[i] ^ masks[k];
            if (k > 0 && i >= 1024)
                break; /* headers, hash table, symbols and their strings come first */
            assert_int_equal(pwrite(file, &byte, 1, (off_t)i), 1);
            audit(path);
            malformed += found(FINDING_MALFORMED, "");
            assert_int_equal(pwrite(file, &image[i], 1, (off_t)i), 1);
        }
    close(file);
    audit(path);
    finds(FINDING_PROCESS, "fork");
    assert_true(malformed > 500);
}

/* Whole words of the tables that the loader goes by. */
TEST(wild_words_do_no_harm) {
    static const uint32_t tables[] = {SHT_DYNAMIC, SHT_DYNSYM, SHT_RELA, SHT_GNU_HASH, SHT_SYMTAB};
    static const uint64_t wild[] = {
        0, 1, UINT64_MAX, INT64_MAX, UINT32_MAX, 0x80000000, UINT64_MAX / 24, 0x1000, 0x2fff};
    read_image(compile("whole.so", plain, ""));
    static unsigned char good[sizeof image];
    memcpy(good, image, image_size);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        const Elf64_Shdr s = *(const Elf64_Shdr *)section(tables[t]);
        for (uint64_t i = 0; i + 8 <= s.sh_size; i += 8)
            for (size_t k = 0; k < sizeof wild / sizeof *wild; k++) {
                memcpy(image + s.sh_offset + i, &wild[k], 8);
                audit_image(image_size);
                memcpy(image, good, image_size);
            }
    }
    const uint64_t headers =
        sizeof(Elf64_Ehdr) + ((Elf64_Ehdr *)image)->e_phnum * sizeof(Elf64_Phdr);
    for (uint64_t i = 16; i < headers; i += 8)
        for (size_t k = 0; k < sizeof wild / sizeof *wild; k++) {
            memcpy(image + i, &wild[k], 8);
            audit_image(image_size);
            memcpy(image, good, image_size);
        }
    audit_image(image_size);
    finds_nothing();
}

/* What the loader would read otherwise than the audit is not let by. */
TEST(tricks_on_the_loader_are_malformed) {
    const char *path = compile("whole.so", "int f(void); void *p = f;", "");
    read_image(path);
    Elf64_Rela *r = (void *)(image + ((Elf64_Shdr *)section(SHT_RELA))->sh_offset);
    const Elf64_Addr symbols = ((Elf64_Shdr *)section(SHT_DYNSYM))->sh_addr;
    Elf64_Phdr *p = (void *)(image + ((Elf64_Ehdr *)image)->e_phoff);
    const Elf64_Rela last = r[2];

    r[2].r_offset = 0x7f0000000000;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "outside the library");
    r[2].r_offset = symbols;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "tables of the loader");
    const Elf64_Phdr *top = p;
    while (top->p_type != PT_LOAD || !(top->p_flags & PF_W))
        top++;
    r[2].r_offset = top->p_vaddr + top->p_memsz - 4;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "outside the library");
    r[2] = last;
    audit_image(image_size);
    assert_false(found(FINDING_MALFORMED, ""));

    const Elf64_Phdr first = p[1];
    assert_true(p[0].p_type == PT_LOAD && p[1].p_type == PT_LOAD);
    p[1].p_vaddr = p[0].p_vaddr + p[1].p_offset % 4096;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "overlap");
    p[1] = first;
    p[1].p_vaddr += 8;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "outside the file");
    p[1] = first;
    p[1].p_memsz = p[1].p_filesz - 1;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "outside the file");
    p[1] = first;

    for (unsigned i = 0; i < ((Elf64_Ehdr *)image)->e_phnum; i++)
        if (p[i].p_type == PT_GNU_STACK)
            p[i].p_type = PT_NULL;
    audit_image(image_size);
    finds(FINDING_WRITABLE_CODE, "does not say");
}

TEST(tables_end_where_they_should) {
    read_image(compile("whole.so", "int f(void); void *p = f;", "-nostdlib"));
    const Elf64_Shdr *symbols = section(SHT_DYNSYM), *dynamics = section(SHT_DYNAMIC);
    const Elf64_Sym *symbol = (void *)(image + symbols->sh_offset);
    Elf64_Dyn *d = (void *)(image + dynamics->sh_offset);
    uint32_t last = 0;
    for (size_t i = 0; i < symbols->sh_size / sizeof *symbol; i++)
        if (symbol[i].st_name > last)
            last = symbol[i].st_name;
    for (size_t i = 0; i < dynamics->sh_size / sizeof *d; i++)
        if (d[i].d_tag == DT_STRSZ) {
            const Elf64_Xword size = d[i].d_un.d_val;
            d[i].d_un.d_val = last + 1; /* one letter and no end */
            audit_image(image_size);
            finds(FINDING_MALFORMED, "name of a symbol");
            d[i].d_un.d_val = size;
        }
    audit_image(image_size);
    assert_false(found(FINDING_MALFORMED, ""));
    for (size_t i = 0; i < dynamics->sh_size / sizeof *d; i++)
        if (d[i].d_tag == DT_NULL)
            d[i].d_tag = DT_DEBUG;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "has no end");
}

TESTS_BETWEEN(scratch_make, scratch_remove)
