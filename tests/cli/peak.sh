#!/usr/bin/env bash
# --peak: a report's share of the card's peak, where the table of cards has none or the user knows better.
# Covers: bench/command/options bench/plan reports/sections tests/cli/peak.sh
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/support/staged.sh"
measure() { expect 0 "$GEMMGATE" "${run[@]}" --shapes 32x32x32 --candidates right --visits 2 "$@"; }
report() { rm -rf "$1/report"; expect 0 "$GEMMGATE" report "$1"; }
page() { grep -qF -- "$2" "$1/report/report.html" || { cat "$1/report/report.html" >&2; fail "$1: the page does not say: $2"; }; }
silent() { ! grep -qF -- "$2" "$1/report/report.html" || fail "$1: the page says: $2"; }
share() { # RUN TFLOPS: the page's share is that of the page's TFLOP/s beside it
    page "$1" '% of f16 peak'
    local cells
    cells=$(grep '32x32x32</th>' "$1/report/report.html" | sed -n 's/.*<td class="n">\([0-9.]*\)<\/td><td class="n">\([0-9.]*\)<\/td><\/tr>.*/\1 \2/p' | head -1)
    awk -v peak="$2" '{ share = 100 * $1 / peak } END { exit !(NR == 1 && share > 0.99 * $2 && share < 1.01 * $2) }' <<<"$cells" ||
        fail "$1: of TFLOP/s and share '$cells' the second is not of $2"
}
# table RUN FLOPS: as if the table of cards had the card.
table() { sed -i -E "s/(\"f16_flops\": *)[0-9.e+]+/\1$2/" "$1/manifest.json"; grep -qF "$2" "$1/manifest.json" || fail 'no rate in the manifest'; }
unknown='The peak of this card is not known, so no share of it is shown. A run is given it by <code>--peak TFLOPS</code>.'
given='The peak was given by <code>--peak</code>: 0.002 TFLOP/s.'

measure -o UNKNOWN
report UNKNOWN
page UNKNOWN "$unknown"
silent UNKNOWN '% of f16 peak'
table UNKNOWN 1e9
report UNKNOWN
silent UNKNOWN "$unknown"
silent UNKNOWN 'The peak was given'
share UNKNOWN 0.001

measure --peak 0.002 -o GIVEN
grep -q '"peak_tflops": 0.002' GIVEN/plan.json || fail 'the peak is not in plan.json'
for rate in '' 1e9; do # it prevails over the table
    [ -z "$rate" ] || table GIVEN "$rate"
    report GIVEN
    page GIVEN "$given"
    silent GIVEN "$unknown"
    share GIVEN 0.002
done

for wrong in fast 0 -1 nan 5TFLOPS; do
    expect 2 "$GEMMGATE" "${run[@]}" --shapes 32x32x32 --candidates right --peak="$wrong" -o WRONG
    says "--peak $wrong: a number from 0.001 to 1000000 is wanted"
done
expect 2 "$GEMMGATE" run --device host --shapes 32x32x32 --peak 989 -o HOST
says "--peak: it is of a GPU's tensor cores, and the host has none; leave it out"
echo ok
