# The table of README.md: means over shapes of several runs, each shape with the mean over the runs that have it.
#     estimate() { awk -f reports/validations/estimate.awk -v cards=${cards:-2} -v of=1000 -v drawn=$1 runs/published/ratios.csv "${@:2}"; }
#     estimate 183 runs/card[1-4]/run/ratios.csv
#     cards=1 estimate 200 runs/server-card3/run/ratios.csv, and server-card4
# waterfall/README.md makes runs/published.
# The first file has the published speedups, by one clock: the lens call or wait. Shapes that fewer runs have timed than `cards` are left out. Intervals are
# Student's t over shapes, times sqrt(1 - drawn / of).
function quantile(df,  z, z2) { # 97.5 % of Student's t: Abramowitz and Stegun 26.7.5, right to 0.001 from 10 on
    z = 1.959963984540054; z2 = z * z
    return z * (1 + (z2 + 1) / 4 / df + ((5 * z2 + 16) * z2 + 3) / 96 / df ^ 2 + (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384 / df ^ 3)
}
function interval(sum, squares, n,  mean, half) { # sets low and high
    mean = sum / n
    half = quantile(n - 1) * sqrt((squares / n - mean ^ 2) / (n - 1)) * sqrt(1 - drawn / of)
    low = mean - half; high = mean + half
    return mean
}
BEGIN { FS = "," }
FNR == 1 { file++; for (i = 1; i <= NF; i++) c[$i] = i; next }
{ shape = $c["m"] "x" $c["n"] "x" $c["k"]; what = $c["mode"] "," $c["baseline"] }
file == 1 { if ($c["lens"] != "call" && $c["lens"] != "wait") next
            clock = $c["lens"]; told[what, shape] = $c["speedup"]; all[what] += $c["speedup"]; count[what]++; next }
$c["lens"] == "call" || $c["lens"] == "device" {
    what = what "," $c["lens"]
    if (!((what, shape) in times)) shapes[what] = shapes[what] " " shape
    times[what, shape]++; speedup[what, shape] += $c["speedup"]; log_ratio[what, shape] += log($c["ratio"])
}
END {
    libraries = split("torch-matmul cublas-max cublaslt-heuristic-max cublaslt-autotune-max", library, " ")
    for (m = split("offline server", mode, " "); m > 0; m--) for (l = 1; l <= libraries; l++) for (d = 0; d < 2; d++) {
        published = mode[m] "," library[l]; what = published (d ? ",device" : ",call")
        n = s = s2 = r = r2 = same = 0
        for (i = split(shapes[what], list, " "); i > 0; i--) {
            at = what SUBSEP list[i]
            if (times[at] < cards) continue
            n++
            x = speedup[at] / times[at]; y = log_ratio[at] / times[at]
            s += x; s2 += x * x; r += y; r2 += y * y; same += told[published, list[i]]
        }
        if (n < 2) continue
        mean = interval(s, s2, n)
        printf "%-40s %3d shapes; published by %s %+.1f %%, for these %+.1f %%; speedup %+.1f %% (%+.1f to %+.1f)", what, n, clock,
            100 * all[published] / count[published], 100 * same / n, 100 * mean, 100 * low, 100 * high
        mean = interval(r, r2, n)
        printf "; ratio %.3f (%.3f to %.3f)\n", exp(mean), exp(low), exp(high)
    }
}
