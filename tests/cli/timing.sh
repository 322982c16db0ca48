#!/usr/bin/env bash
# What a timed run leaves behind: visits, controls, conditions, cache states; and verify, which
# must see every number that does not come from the samples.
. "$(dirname "$0")/lib.sh"

two_kernels set
run() { # RUN ARGS...
    local out=$1
    shift
    expect 0 "$GEMMGATE" run --device host --shapes 32x32x32,48x16x64 --seed 5 --warmup 0.05 \
        --duration 0.2 --candidates set -o "$out" "$@"
    grep -qE '^(visit ([34]) of \2, )?[0-9]+/[0-9]+ .* of the speed of openblas-[a-z]+ by (call|wait), offline \(' err ||
        { cat err >&2; fail 'the progress does not say what its speedups are of'; }
    expect 0 "$GEMMGATE" verify "$out"
}
only() { # FILE COLUMN VALUE: every row has that value there
    [ "$(column "$1" "$2" | sort -u)" = "$3" ] || { cat "$1" >&2; fail "$1: $2 is not always $3"; }
}

run PLAIN
only PLAIN/ratios.csv cache warm
only PLAIN/ratios.csv visits 4 # which is the default
[ "$(column PLAIN/controls.csv control | sort | uniq -c | tr -s ' ' | tr '\n' ';')" = ' 4 aa; 4 across; 4 delay;' ] ||
    fail 'a unit lacks a control'
# A delay that is not seen, and whose interval reaches 1 all the same, is told apart.
cp -r PLAIN NOISY
awk -F, -v OFS=, '$5 == "delay" { $10 = -1; $11 = 3; $23 = n++ ? "ok" : "missed" } { print }' PLAIN/controls.csv >NOISY/controls.csv
expect 0 "$GEMMGATE" report NOISY
grep -q '^| lens | mode | delays seen | in too much noise | ' NOISY/report/report.md && grep -qE '^\| [a-z]+ \| [a-z]+ \| [0-9]+ of [0-9]+ \| 1 \| ' NOISY/report/report.md ||
    { grep -A4 'delays seen' NOISY/report/report.md >&2; fail 'a delay in too much noise is not told'; }
[ "$(tail -n +2 PLAIN/conditions.csv | wc -l)" = 4 ] || fail 'a unit lacks its conditions'

run VISITS --visits 3 --baselines openblas-tn
only VISITS/ratios.csv visits 3
[ -z "$(column VISITS/ratios.csv visit_sd | grep -x '')" ] || fail 'no spread between visits'
run COLD --visits 1 --cache cold --baselines openblas-nn
only COLD/times.csv cache cold
# The lens of the host's clock is timed where it is asked for, and not otherwise.
run WAIT --visits 3 --lens call,wait --baselines openblas-nn
[ "$(column WAIT/ratios.csv lens | sort | uniq -c | tr -s ' ' | tr '\n' ';')" = ' 4 call; 4 wait;' ] || fail 'not both lenses'
only PLAIN/ratios.csv lens call


# Numbers that the samples or the units do not give are named, each in its file.
edit() { # FILE COLUMN
    cp -r PLAIN EDITED
    awk -F, -v OFS=, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        NR == 2 { $c = $c + 0 ? $c * 1.0001 : 1e-9 } { print }' "PLAIN/$1" >"EDITED/$1"
    expect 2 "$GEMMGATE" verify EDITED
    says "$2 is '"
    rm -r EDITED
}
unit=units/32x32x32.blocked
edit ratios.csv ratio
edit ratios.csv speedup
edit times.csv median
edit controls.csv found
edit ratios.csv ci_low
edit conditions.csv wall_seconds
edit $unit/conditions.csv wall_seconds
cp -r PLAIN EDITED
LC_ALL=C tr '\000-\377' '\001-\377\000' <PLAIN/$unit/offline.call.f32 >EDITED/$unit/offline.call.f32
expect 2 "$GEMMGATE" verify EDITED
says 'was changed'

# Where units are missing each is named, and not every row of the run that should be of another; of many
# differences the first are shown, and how many there are besides.
lines() { # COUNT: so many has the last expect printed on stderr, and one of a file that was changed
    says 'is not as it was when the run was complete'
    [ "$(wc -l <err)" = $(($1 + 1)) ] || { cat err >&2; fail "$(wc -l <err) lines on stderr, not $(($1 + 1))"; }
}
rm -r EDITED
cp -r PLAIN EDITED
rm -r EDITED/units/32x32x32.*
expect 2 "$GEMMGATE" verify EDITED
lines 2
says 'EDITED/units/32x32x32.blocked: is missing, though manifest.json says that the run is complete'
grep -q '^2 units, 2 of them timed (others are missing): .* 0 differ; a file was changed$' out || { cat out >&2; fail 'the count is another'; }
expect 2 "$GEMMGATE" compare PLAIN EDITED
says 'EDITED: 2 of its units are missing: it was edited or damaged'
rm -r EDITED
cp -r PLAIN EDITED
sed -i 4d EDITED/times.csv
expect 2 "$GEMMGATE" verify EDITED
lines 1
says 'EDITED/times.csv: 11 rows where there should be 12'
rm -r EDITED
cp -r PLAIN EDITED
for file in EDITED/{times,ratios}.csv; do # 24 rows
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(mean|ratio)$/) c = i }
        NR > 1 { $c *= 1.0001 } { print }' "PLAIN/${file#EDITED/}" >"$file"
done
expect 2 "$GEMMGATE" verify EDITED
lines 21
says 'EDITED: and 4 more rows'
grep -q ' 24 differ; a file was changed$' out || { cat out >&2; fail 'not all are counted'; }
echo ok
