# The one script that draws figures, as PNG and as SVG. Above it stand the name, the kind and the words of the figure;
# its numbers are in NAME.dat, in blocks:
#
#     kind        a row                                                   blocks      words
#     libraries   ratio, place, low, high, library                        a mode      title, mode0 mode1 ...
#     sizes       size, ratio, low, high                                  a mode, then the bins
#                 bin, lower quartile, median, upper quartile             a mode      title, library, mode0 ...
#     list        ratio, low, high, place, verdict, margin, label         one         title, verdicts
#
# A size is log2(M*N*K). An end of an interval that is not known is the ratio. A verdict is 0 faster, 1 same, 2 slower,
# 3 undecided. `rows` and `modes` are how many there are.
candidate = '#0072B2'; library_colour = '#E69F00'; grey = '#404040'; dark = '#202020'; pale = '#d8d8d8'
marks = '9 7 11 6'; sizes = '1.5 1 1.5 1.2'; widths = '1 1 1 2'; verdict_word = 'faster same slower undecided'
colours = candidate.' '.grey.' '.library_colour.' '.dark
forms = '7 9 5 13' # of modes that share a picture
few = 200 # so many points are small, and without intervals
pick(list, v) = word(list, int(v) + 1)
mode(m) = value(sprintf('mode%d', m))
max(a, b) = a > b ? a : b
data = name.'.dat'
list = kind eq 'list'; by_size = kind eq 'sizes'
set encoding utf8
set border 3 lc rgb grey
set tics nomirror out
set grid ytics lc rgb pale lw 1 lt 1
set key outside bottom center horizontal maxrows 1 spacing 1.2 samplen 3
set style fill solid 0.9 noborder
set samples 2
width = list ? 560 : 1200; height = list ? 180 + 28 * rows : 700; size = list ? '14' : '12'

# How far the ratios go: as far up as down, so that as much faster is as long as as much slower.
if (kind eq 'sizes') { stats data using 2 nooutput; high = STATS_max; low = STATS_min
    if (rows < few) { stats data using 3 nooutput; low = low < STATS_min ? low : STATS_min
        stats data using 4 nooutput; high = max(high, STATS_max) } }
if (kind eq 'libraries') { stats data using 2 nooutput; libraries = STATS_max + 1; stats data using 3 nooutput; low = STATS_min; stats data using 4 nooutput; high = STATS_max }
if (list) { stats data using 2 nooutput; low = STATS_min; stats data using 3 nooutput; high = STATS_max
    stats data using 6 nooutput; margin = STATS_max }
if (by_size) { stats data using 1 nooutput; smallest = STATS_min; largest = STATS_max }
most = 1.04 * max(1.05, max(high, 1.0 / low))
longest = 0 # letters of a label
if (list) { stats data using (longest = max(longest, strlen(strcol(7))), 0) nooutput }
ticks = most < 1.3 ? '1.02 1.05 1.1 1.15 1.2 1.3' : most < 2.2 ? '1.1 1.25 1.5 2' : most < 7 ? '1.5 2 3 4 6' : '2 4 8 16 32 64 128 256'
axis = by_size ? 'y' : 'x'
eval sprintf('set logscale %s 2; set %srange [%g:%g]; set %stics ("1" 1)', axis, axis, 1 / most, most, axis)
# Room for the number at a tick; numbers of a y axis stand above each other.
apart = by_size ? 1 : most ** (list ? 100.0 / (560 - 9 * longest) : 0.2)
last = 1
do for [t in ticks] {
    if (real(t) < most && real(t) >= last * apart) {
        eval sprintf('set %stics add ("%s" %s, "%.3g" %.9g)', axis, t, t, 1 / real(t), 1 / real(t))
        last = real(t)
    }
}
if (by_size) {
    set xrange [floor(smallest) - 0.5:ceil(largest) + 0.5]
    set xtics ceil((largest - smallest + 1) / 13)
    set xlabel 'size of the product, log2(M·N·K); bins one wide'
} else {
    set arrow from first 1, graph 0 to first 1, graph 1 nohead front dt 2 lw 2 lc rgb grey
}
if (kind eq 'libraries') {
    set title title
    set yrange [libraries - 0.3:-0.7]; set ytics scale 0; set grid x; set bmargin 6
    set xlabel 'time of the library / time of the candidate; right of 1 the candidate is faster'
}
if (kind eq 'sizes') {
    set ylabel 'time of '.library.' / time of candidate'
    set bmargin 7; set key maxrows 2 samplen 2 # a key of two lines
}
if (list) { # what stands above and below goes over the whole width, however narrow the labels leave the axis
    set tmargin 3; set bmargin 6; set yrange [rows - 0.4:-0.6]; unset grid; set ytics scale 0
    set label 1 title at screen 0.5, graph 1 center offset 0,1
    set label 2 'time before / time now; right of 1 is faster' at screen 0.5, graph 0 center offset 0,-2.6
    set key at screen 0.5, screen 0 bottom center horizontal maxrows 1 samplen 0.5 width -1
}

do for [picture in 'png svg'] {
    if (picture eq 'png') { set terminal pngcairo size width,height font 'DejaVu Sans,'.size noenhanced background rgb 'white' }
    else { set terminal svg size width,height dynamic font 'DejaVu Sans,Arial,sans-serif,'.size noenhanced background rgb 'white' }
    set output name.'.'.picture
    if (kind eq 'libraries') {
        plot data using (1):2:ytic(5) with points ps 0 notitle, \
             for [m=0:modes-1] '' index m using 3:(column(2)+0.4*(m-(modes-1)/2.0)):($4-$3):(0) with vectors nohead lw 3 lc rgb dark notitle, \
             for [m=0:modes-1] '' index m using 1:(column(2)+0.4*(m-(modes-1)/2.0)) with points pt int(pick(forms, m % 4)) ps 1.6 lc rgb candidate \
                 title (modes > 1 ? mode(m) : ''), \
             for [m=0:modes-1] '' index m using 1:(column(2)+0.4*(m-(modes-1)/2.0)):(sprintf('%.3f', $1)) with labels offset 0,-1.1 notitle
    }
    if (kind eq 'sizes') {
        set multiplot layout 1,modes title title
        do for [m=0:modes-1] {
            set title mode(m)
            plot data index modes+m using 1:2:4 with filledcurves fc rgb candidate fs transparent solid 0.25 noborder title 'middle half', \
                for [once=1:(rows < few)] '' index m using 1:3:(0):($4-$3) with vectors nohead lw 1.5 lc rgb grey title '95 % interval', \
                '' index m using 1:2 with points pt 7 ps (rows < few ? 0.9 : 0.45) lc rgb candidate title 'shape', \
                '' index modes+m using 1:3 with lines lw 3 lc rgb dark title 'median', \
                1 with lines dt 2 lw 2 lc rgb grey title 'equal speed'
        }
        unset multiplot
    }
    if (list) {
        plot data using 1:4:(1/(1+$6)):(1+$6):($4-0.5):($4+0.5):ytic(7) with boxxyerror lc rgb pale title (margin > 0 ? 'margin' : ''), \
            '' using 2:4:($3-$2):(0) with vectors nohead lw 2.5 lc rgb dark notitle, \
            for [v in verdicts] '' using ($5==v ? $1 : 1/0):4 with points pt int(pick(marks, v)) ps real(pick(sizes, v)) \
                lw real(pick(widths, v)) lc rgb pick(colours, v) title pick(verdict_word, v)
    }
    unset output
}
