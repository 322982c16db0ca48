#!/usr/bin/env bash
# A build is a function of content: of all that the compiler has read, wherever the user stands, and of nothing else.
. "$(dirname "$0")/lib.sh"
export GEMMGATE_CACHE=$scratch/cache
unset CPATH C_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH CC NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS

# builds cached|built|failed SET [OPTION...]: what becomes of its one kernel; `library` is where it lies.
builds() {
    local want=$1 set=$2
    shift 2
    "$GEMMGATE" build --candidates "$set" "$@" >out 2>err || true
    grep -q " $want  " out || { cat out err >&2; fail "$set is not $want"; }
    library=$(awk 'NR == 1 { print $NF }' out)
}

# The word by which a kernel of these sets says how it was built.
kernel() {
    mkdir -p "$1"
    cat >"$1/k.c"
    cat >>"$1/k.c" <<'END'
#include "gemmgate.h"
static int launch(void *state, const struct gemm_args *args) { (void)state; (void)args; return WORD; }
GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {.abi = GEMMGATE_ABI, .name = "k", .device = GEMM_HOST,
    .accumulate = GEMM_F32, .launch = launch};
END
}

# differs NAME FILE OLD NEW: sets that differ in that file alone are compiled apart, and each is found again.
differs() {
    local name=$1 file=$2 old new
    cp -r "$name" "$name.old" && cp -r "$name" "$name.new"
    printf '%b' "$3" >"$name.old/$file"
    printf '%b' "$4" >"$name.new/$file"
    builds built "$name.old" && old=$library
    builds built "$name.new" && new=$library
    [ "$old" != "$new" ] || fail "$name: one library of two contents"
    builds cached "$name.old" && [ "$library" = "$old" ] || fail "$name: another library than before"
    builds cached "$name.new" && [ "$library" = "$new" ] || fail "$name: another library than before"
}

kernel incbin <<'END'
asm(".pushsection .rodata\n.globl payload\n.hidden payload\npayload: .incbin \"payload.bin\"\n.byte 0\n.popsection\n");
extern __attribute__((visibility("hidden"))) const char payload[];
#define WORD payload[0]
END
differs incbin payload.bin fast slow

kernel system <<'END'
#include "outer.h"
END
printf '#pragma once\n#pragma GCC system_header\n#include "inner.h"\n' >system/outer.h
differs system inner.h '#define WORD 1\n' '#define WORD 4\n'

kernel macro <<'END'
#define H "x.h"
#include H
END
differs macro x.h '#define WORD 1\n' '#define WORD 4\n'

kernel import <<'END'
#import "x.h"
END
differs import x.h '#define WORD 1\n' '#define WORD 4\n'

kernel object <<'END'
extern int word(void);
#define WORD word()
END
printf '[set]\nflags = o.o\n' >object/gemmgate.ini
for n in 1 4; do echo "int word(void) { return $n; }" >o.c && cc -fPIC -c o.c -o o$n.o; done
cp -r object object.new
cp o1.o object/o.o && cp o4.o object.new/o.o
builds built object && old=$library
builds built object.new
[ "$library" != "$old" ] || fail 'an object file of the flags does not count'

kernel at <<'END'
END
printf '[set]\nflags = @words\n' >at/gemmgate.ini
differs at words '-DWORD=1\n' '-DWORD=4\n'

# A header that comes to stand before another, also in a folder that was not there.
kernel front <<'END'
#include "x.h"
END
printf '[set]\ninclude = none\ninclude = last\n' >front/gemmgate.ini
mkdir front/last
echo '#define WORD 1' >front/last/x.h
builds built front
builds cached front
mkdir front/none
builds built front
echo '#define WORD 4' >front/none/x.h
builds built front
rm -r front/none
builds cached front

# A folder of headers counts where it lies among the machine's own files, too.
kernel machines <<'END'
#include "x.h"
END
folder=$(mktemp -d /dev/shm/XXXXXXXX)
printf '[set]\ninclude = %s\n' "$folder" >machines/gemmgate.ini
echo '#define WORD 1' >"$folder/x.h"
builds built machines
builds cached machines
echo '#define WORD 4' >"$folder/x.h"
builds built machines
rm -r "$folder"

# A link that leads each process to a file of its own: the compiler's is another than the builder's.
kernel links <<'END'
#include "x.h"
END
ln -s /proc/self/cwd/y.h links/x.h
echo '#define WORD 1' | tee y.h >links/y.h
builds built links
echo '#define WORD 4' >links/y.h
builds built links
says 'x.h: a way to a file that has no name'
kernel becomes <links/y.h
sed -i '1s/.*/#include "x.h"/' becomes/k.c
cp y.h becomes/x.h
builds built becomes
builds cached becomes
ln -sf /proc/self/cwd/y.h becomes/x.h
echo '#define WORD 4' >becomes/y.h
builds built becomes

# nvcc looks up more of the machine than cc.
if command -v nvcc >/dev/null; then
    mkdir cuda
    printf 'int product(void) { return 1; }\n' >cuda/k.cu
    printf '[kernel k]\nfile = k.cu\naccumulate = f32\ncall = product()\n' >cuda/gemmgate.ini
    builds built cuda --arch 90
    builds cached cuda --arch 90
fi

# Relative paths are the set's, wherever the user stands.
kernel here <<'END'
END
mkdir here/dir here/deep
echo '#include <deeper.h>' >here/helper.h
printf '[set]\nflags = -include helper.h -Idir\n' >here/gemmgate.ini
cp -r here base && mv here head
echo '#define WORD 1' >base/dir/deeper.h
echo '#define WORD 4' >head/dir/deeper.h
builds built base && old=$library
builds built head && new=$library
[ "$old" != "$new" ] || fail 'one library of two'
for place in base head "$scratch"; do
    cd "$place"
    "$GEMMGATE" build --candidates "$scratch/base" >"$scratch/out" 2>"$scratch/err"
    grep -qF "$old" "$scratch/out" || { cat "$scratch/out" >&2; fail "base from $place is another"; }
    "$GEMMGATE" build --candidates "$scratch/head" >"$scratch/out" 2>"$scratch/err"
    grep -qF "$new" "$scratch/out" || { cat "$scratch/out" >&2; fail "head from $place is another"; }
    cd "$scratch"
done

# So it is by a function's call, whose set moves without a compile; no path of this machine is in the library.
mkdir -p call/src call/inc
echo '#define WORD 1' >call/inc/word.h
printf '#include "near.h"\n#include <word.h>\nint product(void) { return WORD + __FILE__[0]; }\n' >call/src/k.c
echo 'static int near;' >call/src/near.h
printf '[set]\ninclude = inc\n[kernel k]\nfile = src/k.c\naccumulate = f32\ncall = product()\n' >call/gemmgate.ini
builds built call
! grep -qF "$scratch" "$library" || fail 'a path of this machine is in the library'
mkdir elsewhere && mv call elsewhere/moved
builds cached elsewhere/moved
echo 'static int near, nearer;' >elsewhere/moved/src/near.h
builds built elsewhere/moved

# Quotes keep blanks together.
kernel quoted <<'END'
#include <string.h>
#define WORD (int)strlen(TEXT)
END
printf "[set]\nflags = -DMORE -DTEXT='\"a b\"'\n" >quoted/gemmgate.ini
builds built quoted
printf '[set]\nflags = -DTEXT="a b\n' >quoted/gemmgate.ini
expect 2 "$GEMMGATE" build --candidates quoted
says 'quoted/gemmgate.ini:2: flags has a quote " that does not close'

# What cannot be known is compiled anew, and that is said: here a process without a name for what it reads.
if [ -e /dev/fd/0 ]; then
    kernel detour <<'END'
#define WORD 1
END
    mkdir bin
    printf '#!/bin/sh\n[ "$1" = --version ] || exec 3</dev/null 4</dev/fd/3\nexec cc "$@"\n' >bin/cc
    chmod +x bin/cc
    for _ in 1 2; do
        CC=$scratch/bin/cc builds built detour
        says 'k.c: what its compiler has read is not known (/dev/fd/3'
    done
fi

# through WORDS...: compilers are from now on a script that has these words before cc's.
through() {
    mkdir -p through
    printf '#!/bin/bash\n[ "$1" = --version ] && exec cc "$@"\n%s\n' "$*" >through/cc
    chmod +x through/cc
    export CC=$scratch/through/cc
}
export SHELL=/bin/sh
kernel asks <<'END'
END
mkdir asks/dir
ln -s one asks/link
echo '#define WORD 1' >asks/x.h
through 'exec cc -include x.h -DLISTED=$(ls dir | wc -l) -DLEADS=$(readlink link) "$@"'
builds built asks
builds cached asks
touch asks/dir/another # what a folder lists
builds built asks
ln -sfn two asks/link # where a link leads that leads to nothing
builds built asks
through 'ln -s "$PWD/x.h" "$TMPDIR/made.h"; exec cc -include "$TMPDIR/made.h" "$@"' # by a link of the compiler's own
sed -i '1i // again' asks/k.c
builds built asks
builds cached asks
echo '#define WORD 4' >asks/x.h
builds built asks
through 'cc -include x.h "$@"; echo >>x.h' # another file than the compiler saw
sed -i '1i // again' asks/k.c
for _ in 1 2; do
    builds built asks --no-sandbox
    says 'x.h: it has changed meanwhile'
done
through 'exec 3<>/dev/udp/127.0.0.1/9; exec cc -include x.h "$@"' # another process may have read for it
sed -i '1i // again' asks/k.c
for _ in 1 2; do
    builds built asks --no-sandbox
    says 'what its compiler has read is not known (connect)'
done
through 'exec cc -include x.h "$@"'
sed -i '1i // again' asks/k.c
builds built asks
builds cached asks
sed -i 's/exec cc "$@"/echo 2/' through/cc # another version
builds built asks
mkdir elsewhere/none
CPATH=$scratch/elsewhere/none builds built asks
unset CC

# A builder that is killed leaves no compiler at work, and nothing in the cache once another has compiled.
kernel slow <<'END'
#define WORD 1
END
printf '#!/bin/sh\n[ "$1" = --version ] && exec cc "$@"\nsleep 300 &\necho $! >"$BEGAN"\nwait\n' >slow-cc
chmod +x slow-cc
for option in --no-sandbox ''; do
    began=$(mktemp -p /dev/shm) # where a compiler that is locked in cannot write
    [ -n "$option" ] || began=/dev/null
    BEGAN=$began CC=$PWD/slow-cc "$GEMMGATE" build $option --candidates slow --cache-dir killed >out 2>err &
    builder=$!
    until compgen -G 'killed/work.*/*/lookups' >/dev/null && { [ -z "$option" ] || [ -s "$began" ]; }; do sleep 0.05; done
    kill -KILL $builder
    wait $builder || true
    if [ -n "$option" ]; then
        for _ in {1..200}; do ! grep -q '^State:.[^Z]' "/proc/$(cat "$began")/status" 2>/dev/null || sleep 0.05; done
        ! grep -q '^State:.[^Z]' "/proc/$(cat "$began")/status" 2>/dev/null || fail 'a compiler outlives its builder'
        rm "$began"
    fi
    builds built slow --cache-dir killed
    ! compgen -G 'killed/work.*' >/dev/null || { ls -R killed >&2; fail 'a builder that was killed leaves files in the cache'; }
    rm -r killed
done

# A cache is believed for where it lies: a folder that a commit may have filled is refused, wherever it begins.
builds cached system.old
mkdir checkout
git -C checkout init -q
cp -r cache checkout/cache
builds cached system.old --cache-dir checkout/cache
git -C checkout add cache/"$(basename "$library")"
for folder in checkout/cache checkout; do
    expect 2 "$GEMMGATE" build --candidates system.old --cache-dir $folder
    says "$folder: git tracks files in it, or cannot say: what is committed would be taken for a compiled kernel; --cache-dir names another folder"
done
PATH=$PWD/none expect 2 "$GEMMGATE" build --candidates system.old --cache-dir checkout/cache
says 'or cannot say'
chmod go+w cache
expect 2 "$GEMMGATE" build --candidates system.old
says 'its group or others may write there, and what they put there would be measured'
chmod go-w cache
# So is an entry: nobody else can have made it, and it is what it was.
builds cached system.old
hash=${library##*-}
deps=$(grep -lx "so ${hash%.so}" "${library%-*}"-*.deps)
for file in "$library" "$deps"; do
    chmod g+w "$file"
    builds built system.old
    builds cached system.old
done
chmod u+w "$library" && echo >>"$library" && chmod u-w "$library"
builds built system.old

# A filled cache serves that can only be read. What it lacks is refused with a sentence.
if unshare -m mount --bind -o ro cache cache 2>/dev/null; then
    read_only() { expect "$1" unshare -m sh -c 'mount --bind -o ro cache cache && "$@"' sh "$GEMMGATE" "${@:2}"; }
    read_only 0 build --candidates system.old
    grep -q ' cached ' out || { cat out >&2; fail 'a cache that is read-only is not used'; }
    read_only 2 build --candidates slow
    says 'cache: Read-only file system; --cache-dir names another folder'
fi
echo ok
