#include "baselines/release.h"

#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "baselines/baselines.h"
#include "bench/base/files.h"

enum { MOST_NAMES = 8 };

/* Two libraries of one SONAME in a process: the dynamic linker takes the first for both, also where
 * a third library needs the second: libcublas.so.13 of one release would call libcublasLt.so.13 of
 * the other. So the second is loaded from a copy in which the names are others. */

/* A library's file in memory. */
struct image {
    char path[PATH_MAX + 256];
    unsigned char *bytes;
    size_t size;
    char *strings; /* of the dynamic section */
    size_t strings_size;
    const Elf64_Dyn *dynamic;
    size_t dynamic_count;
};

/* SONAMEs to be changed: "lib..." becomes "lNb...", of the same length. */
struct names {
    char list[MOST_NAMES][256];
    int count, number;
};

/* The name of a file without what such a copy has changed in it: l1bcublas.so.13 is
 * libcublas.so.13. Points into a text of the function's own where they differ, until the next call.
 */
static const char *plain_name(const char *file) {
    static char plain[256];
    if (file[0] != 'l' || file[1] < '1' || file[1] > '9' || file[2] != 'b')
        return file;
    snprintf(plain, sizeof plain, "%s", file);
    plain[1] = 'i';
    return plain;
}

static void rename_text(char *name, int number) {
    name[1] = (char)('0' + number);
}

static int refuse_file(char why[RELEASE_WHY], const char *path, const char *what) {
    snprintf(why, RELEASE_WHY, "%.250s: %.120s", path, what);
    return -1;
}

/* The bytes at an address of the loaded library, at least one; NULL outside of the file. */
static void *at_address(const struct image *image, uint64_t address, size_t *room) {
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)image->bytes;
    const Elf64_Phdr *parts = (const Elf64_Phdr *)(image->bytes + head->e_phoff);
    for (int i = 0; i < head->e_phnum; i++) {
        const Elf64_Phdr *part = &parts[i];
        if (part->p_type != PT_LOAD || address < part->p_vaddr ||
            address - part->p_vaddr >= part->p_filesz || part->p_offset > image->size ||
            part->p_filesz > image->size - part->p_offset)
            continue;
        *room = part->p_filesz - (address - part->p_vaddr);
        return image->bytes + part->p_offset + (address - part->p_vaddr);
    }
    return NULL;
}

static uint64_t dynamic_value(const struct image *image, int64_t tag) {
    for (size_t i = 0; i < image->dynamic_count && image->dynamic[i].d_tag != DT_NULL; i++)
        if (image->dynamic[i].d_tag == tag)
            return image->dynamic[i].d_un.d_val;
    return 0;
}

static const char *string_at(const struct image *image, uint64_t offset) {
    return offset < image->strings_size ? image->strings + offset : "";
}

/* The machine that this program was built for. */
static int own_machine(void) {
    Elf64_Ehdr head = {.e_machine = EM_NONE};
    FILE *self = fopen("/proc/self/exe", "rb");
    if (self && fread(&head, sizeof head, 1, self) != 1)
        head.e_machine = EM_NONE;
    if (self)
        fclose(self);
    return head.e_machine;
}

static int find_dynamic(struct image *image) {
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)image->bytes;
    size_t room = 0;
    if (head->e_phoff > image->size ||
        (size_t)head->e_phnum * sizeof(Elf64_Phdr) > image->size - head->e_phoff)
        return -1;
    const Elf64_Phdr *parts = (const Elf64_Phdr *)(image->bytes + head->e_phoff);
    for (int i = 0; i < head->e_phnum; i++)
        if (parts[i].p_type == PT_DYNAMIC) {
            image->dynamic = at_address(image, parts[i].p_vaddr, &room);
            image->dynamic_count = room / sizeof *image->dynamic;
        }
    if (!image->dynamic)
        return -1;
    image->strings = at_address(image, dynamic_value(image, DT_STRTAB), &room);
    image->strings_size = dynamic_value(image, DT_STRSZ);
    return image->strings && image->strings_size > 0 && image->strings_size <= room &&
                   image->strings[image->strings_size - 1] == 0
               ? 0
               : -1;
}

/* How a file is mapped: to be looked at, or to be written. */
static int map(struct image *image, const char *folder, const char *file, bool writes,
               char why[RELEASE_WHY]) {
    struct stat about;
    *image = (struct image){.bytes = NULL};
    snprintf(image->path, sizeof image->path, "%s/%s", folder, file);
    const int fd = open(image->path, (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) < 0) {
        if (fd >= 0)
            close(fd);
        return refuse_file(why, image->path, strerror(errno));
    }
    image->size = (size_t)about.st_size;
    void *bytes =
        image->size < sizeof(Elf64_Ehdr)
            ? MAP_FAILED
            : mmap(NULL, image->size, PROT_READ | (writes ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED)
        return refuse_file(why, image->path, "is no ELF library");
    image->bytes = bytes;
    const Elf64_Ehdr *head = bytes;
    const char *wrong = memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_type != ET_DYN
                            ? "is no ELF library"
                        : head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != own_machine()
                            ? "is a library for another architecture than this program's"
                        : find_dynamic(image) < 0 ? "has no dynamic section that can be read"
                                                  : NULL;
    if (!wrong)
        return 0;
    munmap(bytes, image->size);
    image->bytes = NULL;
    return refuse_file(why, image->path, wrong);
}

static void unmap(struct image *image) {
    if (image->bytes)
        munmap(image->bytes, image->size);
    image->bytes = NULL;
}

static const char *soname_of(const struct image *image) {
    return string_at(image, dynamic_value(image, DT_SONAME));
}

static bool is_loaded(const char *soname) {
    void *handle = *soname ? dlopen(soname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (handle)
        dlclose(handle);
    return handle != NULL;
}

static bool are_loaded(const struct names *names) {
    for (int i = 0; i < names->count; i++)
        if (is_loaded(names->list[i]))
            return true;
    return false;
}

/* The library and those of its folder that it needs. */
static void list_names(const struct image *image, const char *folder, struct names *names) {
    snprintf(names->list[names->count++], 256, "%s", soname_of(image));
    for (size_t i = 0; i < image->dynamic_count && image->dynamic[i].d_tag != DT_NULL; i++) {
        const char *needed = string_at(image, image->dynamic[i].d_un.d_val);
        char path[PATH_MAX + 256];
        snprintf(path, sizeof path, "%s/%s", folder, needed);
        if (image->dynamic[i].d_tag == DT_NEEDED && names->count < MOST_NAMES &&
            strncmp(needed, "lib", 3) == 0 && access(path, R_OK) == 0)
            snprintf(names->list[names->count++], 256, "%s", needed);
    }
}

static bool is_named(const struct names *names, const char *text) {
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->list[i], text) == 0)
            return true;
    return false;
}

/* In the file itself. SONAMEs also name versions of symbols. The hashes of those stay as they are:
 * the dynamic linker compares them with each other first, and then the names. */
static int rename_in(const char *folder, const char *file, const struct names *names,
                     char why[RELEASE_WHY]) {
    struct image image;
    if (map(&image, folder, file, true, why) < 0)
        return -1;
    for (size_t i = 0; i < image.strings_size; i += strlen(image.strings + i) + 1)
        if (is_named(names, image.strings + i))
            rename_text(image.strings + i, names->number);
    const bool done = strcmp(plain_name(soname_of(&image)), soname_of(&image)) != 0;
    unmap(&image);
    return done ? 0 : refuse_file(why, image.path, "its SONAME cannot be changed");
}

/* One file of the folder into `part`, with other names in it and of it. */
static int make_copy(const char *folder, const char *part, const struct names *names, int which,
                     char why[RELEASE_WHY]) {
    char from[PATH_MAX + 512], to[PATH_MAX + 512], name[256];
    memcpy(name, names->list[which], sizeof name);
    rename_text(name, names->number);
    snprintf(from, sizeof from, "%s/%s", folder, names->list[which]);
    snprintf(to, sizeof to, "%s/%s", part, name);
    return files_copy(from, to) < 0
               ? refuse_file(why, from, "it cannot be copied into the cache folder")
               : rename_in(part, name, names, why);
}

/* Copies all. The folder gets its name when it is whole; what another process has made meanwhile
 * serves as well. */
static int make_copies(const char *folder, const char *to, const struct names *names,
                       char why[RELEASE_WHY]) {
    char part[PATH_MAX + 32];
    snprintf(part, sizeof part, "%s.%d", to, (int)getpid());
    int status =
        files_make_folder(part) < 0 ? refuse_file(why, part, "the folder cannot be made") : 0;
    for (int i = 0; i < names->count && status == 0; i++)
        status = make_copy(folder, part, names, i, why);
    if (status == 0 && rename(part, to) < 0 && errno != EEXIST && errno != ENOTEMPTY)
        status = refuse_file(why, to, strerror(errno));
    files_remove_tree(part);
    return status;
}

/* Names the copies' folder by what tells the original from another. */
static int copies_folder(const struct image *image, const char *cache, int number,
                         char to[PATH_MAX], char why[RELEASE_WHY]) {
    struct stat about;
    if (!cache)
        return refuse_file(why, image->path, "a library of its SONAME is loaded already");
    if (stat(image->path, &about) < 0)
        return refuse_file(why, image->path, strerror(errno));
    const int length =
        snprintf(to, PATH_MAX, "%s/libraries/%llx-%llx-%llx-%llx-%d", cache,
                 (unsigned long long)about.st_dev, (unsigned long long)about.st_ino,
                 (unsigned long long)about.st_size, (unsigned long long)about.st_mtime, number);
    return length < PATH_MAX ? 0 : refuse_file(why, cache, "the path is too long");
}

/* Looks at the library `file` of the folder. Where it needs another library of its folder, and the
 * process holds one of the SONAME of either, copies them into the cache with other names, which
 * `number` (1 to 9) tells apart, unless they are there, and changes folder and file to the copy's.
 * Refuses files that are no libraries of this processor. 0, or -1 with why. */
static int set_apart(char folder[PATH_MAX], char file[256], const char *cache, int number,
                     char why[RELEASE_WHY]) {
    struct names names = {.count = 0, .number = number};
    struct image image;
    char to[PATH_MAX], name[256];
    if (map(&image, folder, file, false, why) < 0)
        return -1;
    snprintf(name, sizeof name, "%s", soname_of(&image));
    int status = 0;
    list_names(&image, folder, &names);
    if (names.count > 1 && are_loaded(&names)) {
        status = copies_folder(&image, cache, number, to, why);
        if (status == 0 && access(to, X_OK) < 0)
            status = make_copies(folder, to, &names, why);
        if (status == 0) {
            rename_text(name, number);
            snprintf(file, 256, "%s", name);
            snprintf(folder, PATH_MAX, "%s", to);
        }
    }
    unmap(&image);
    return status;
}

static struct release loaded[RELEASE_MOST];
static int loaded_count;

/* AddressSanitizer refuses RTLD_DEEPBIND. */
void *release_open(const char *folder, const char *file, char why[RELEASE_WHY]) {
    const int alone = dlsym(RTLD_DEFAULT, "__asan_init") ? 0 : RTLD_DEEPBIND;
    char path[PATH_MAX + 256];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | alone);
    if (!handle)
        snprintf(why, RELEASE_WHY, "%s", dlerror());
    return handle;
}

/* The kind's file in the folder, of several the first by name. 0, or -1. */
static int find_file(const char *folder, const struct release_kind *kind, char file[256]) {
    struct dirent **names;
    const size_t length = strlen(kind->file);
    const int count = scandir(folder, &names, NULL, alphasort);
    *file = 0;
    for (int i = 0; i < count; i++) {
        const char *name = plain_name(names[i]->d_name);
        if (!*file && strncmp(name, kind->file, length) == 0 &&
            (!name[length] || name[length] == '.'))
            snprintf(file, 256, "%s", names[i]->d_name);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    return *file ? 0 : -1;
}

/* The folder below `given` that holds a library, and which. */
static const struct release_kind *find_library(const char *given, char folder[PATH_MAX],
                                               char file[256]) {
    static const char *const below[] = {"", "/lib", "/lib64"};
    for (int i = 0; i < 3; i++) {
        char path[PATH_MAX + 8];
        snprintf(path, sizeof path, "%s%s", given, below[i]);
        for (int k = 0; realpath(path, folder) && release_kinds[k]; k++)
            if (find_file(folder, release_kinds[k], file) == 0)
                return release_kinds[k];
    }
    return NULL;
}

static int is_there(const struct release_kind *kind, const char *name, char why[RELEASE_WHY]) {
    char linked[RELEASE_NAME];
    kind->linked(linked);
    if (strcmp(linked, name) == 0) {
        snprintf(why, RELEASE_WHY, "%s %s is the release that gemmgate uses itself", kind->library,
                 name);
        return 1;
    }
    for (int i = 0; i < loaded_count; i++)
        if (strcmp(loaded[i].library, kind->library) == 0 && strcmp(loaded[i].name, name) == 0) {
            snprintf(why, RELEASE_WHY, "%s %s is given twice", kind->library, name);
            return 1;
        }
    return 0;
}

/* "cublas-nn" and "12.4.5": "cublas@12.4.5-nn", so that what ends in a layout still does. */
static char *name_with_release(const char *plain, const char *release) {
    const char *layout = strrchr(plain, '-');
    const size_t size = strlen(plain) + strlen(release) + 2;
    char *name = malloc(size);
    if (!layout || (strcmp(layout, "-nn") != 0 && strcmp(layout, "-tn") != 0))
        layout = plain + strlen(plain);
    if (name)
        snprintf(name, size, "%.*s@%s%s", (int)(layout - plain), plain, release, layout);
    return name;
}

/* They stay for as long as the process does. */
static int add_baselines(const struct release_kind *kind, const char *release,
                         const void *functions) {
    for (int i = 0; baselines[i]; i++) {
        if (baselines[i]->ops.device != kind->device)
            continue;
        struct baseline *made = malloc(sizeof *made);
        if (!made)
            return -1;
        *made = *baselines[i];
        made->library = functions;
        char *name = name_with_release(made->ops.name, release);
        made->ops.name = name;
        if (!name || baseline_add(made) < 0) {
            free(name);
            free(made);
            return -1;
        }
    }
    return 0;
}

int release_load(const char *given, const char *cache, struct release *release,
                 char why[RELEASE_WHY]) {
    char file[256];
    const void *functions = NULL;
    if (loaded_count == RELEASE_MOST) {
        snprintf(why, RELEASE_WHY, "there is room for %d releases", RELEASE_MOST);
        return -1;
    }
    *release = (struct release){.library = ""};
    const struct release_kind *kind = find_library(given, release->folder, file);
    if (!kind) {
        size_t used = (size_t)snprintf(why, RELEASE_WHY,
                                       "no library is there, nor in its lib or "
                                       "lib64:");
        for (int k = 0; release_kinds[k] && used < RELEASE_WHY; k++)
            used += (size_t)snprintf(why + used, RELEASE_WHY - used, "%s %s", k ? " or" : "",
                                     release_kinds[k]->file);
        return -1;
    }
    release->library = kind->library;
    kind->linked(release->name); /* the program's own comes first: copies are told from it */
    if (set_apart(release->folder, file, cache, loaded_count + 1, why) < 0 ||
        kind->load(release->folder, file, release->name, &functions, why) < 0 ||
        is_there(kind, release->name, why))
        return -1;
    if (add_baselines(kind, release->name, functions) < 0) {
        snprintf(why, RELEASE_WHY, "no room for its baselines");
        return -1;
    }
    loaded[loaded_count++] = *release;
    return 0;
}
