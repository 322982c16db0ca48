# What every figure's script ends with: the plots, as PNG and as SVG. Above it stand the figure's name and kind,
# its words, axes and panels (reports/page/plot.c). Its numbers are in NAME.dat, in blocks.
candidate = '#0072B2'; library = '#E69F00'; grey = '#404040'; dark = '#202020'; pale = '#d8d8d8'
# By verdict: faster, same, slower, undecided.
marks = '9 7 11 6'; sizes = '1.5 1 1.5 1.2'; widths = '1 1 1 2'
colours = candidate.' '.grey.' '.library.' '.dark
forms = '7 9 5 13' # of modes that share a panel
panel(what, p) = value(sprintf('%s%d', what, p)) # of a panel
words_of(p) = panel('title', p)
points_of(p) = panel('points', p)
pick(list, v) = word(list, int(v) + 1)
dot(n) = n < few ? 0.9 : 0.45
verdict_word = 'faster same slower undecided'
set samples 2
do for [picture in 'png svg'] {
    if (picture eq 'png') { set terminal pngcairo size width,height font 'DejaVu Sans,'.font noenhanced background rgb 'white' }
    else { set terminal svg size width,height dynamic font 'DejaVu Sans,Arial,sans-serif,'.font noenhanced background rgb 'white' }
    set output name.'.'.picture

    # Ratio, place, ends of the interval, the ratio as text; a block a mode.
    if (kind eq 'libraries') {
        plot for [m=0:panels-1] name.'.dat' index m using 3:2:($4-$3):(0) with vectors nohead lw 3 lc rgb dark notitle, \
             for [m=0:panels-1] '' index m using 1:2 with points pt int(pick(forms, m % 4)) ps 1.6 lc rgb candidate title words_of(m), \
             for [m=0:panels-1] '' index m using 1:2:5 with labels offset 0,-1.1 notitle
    }

    # A block of size, ratio and interval, and one of bins, for each mode.
    if (kind eq 'sizes') {
        set multiplot layout 1,panels title title
        do for [m=0:panels-1] {
            set title words_of(m)
            plot name.'.dat' index 2*m+1 using 1:2:4 with filledcurves fc rgb candidate fs transparent solid 0.25 noborder title 'middle half', \
                for [once=1:(points_of(m) < few)] '' index 2*m using 1:3:(0):($4-$3) with vectors nohead lw 1.5 lc rgb grey title '95 % interval', \
                '' index 2*m using 1:2 with points pt 7 ps dot(points_of(m)) lc rgb candidate title 'shape', \
                '' index 2*m+1 using 1:3 with lines lw 3 lc rgb dark title 'median', \
                1 with lines dt 2 lw 2 lc rgb grey title 'equal speed'
        }
        unset multiplot
    }

    # Ratio, ends of the interval, size, place, verdict, margin.
    if (kind eq 'list') {
        plot name.'.dat' using 1:5:(1/(1+$7)):(1+$7):($5-0.5):($5+0.5) with boxxyerror lc rgb pale title (margin > 0 ? 'margin' : ''), \
            '' using 2:5:($3-$2):(0) with vectors nohead lw 2.5 lc rgb dark notitle, \
            for [v in verdicts] '' using ($6==v ? $1 : 1/0):5 with points pt int(pick(marks, v)) ps real(pick(sizes, v)) \
                lw real(pick(widths, v)) lc rgb pick(colours, v) title pick(verdict_word, v)
    }
    if (kind eq 'cloud') {
        plot name.'.dat' using 4:(1) with lines dt 2 lw 2 lc rgb grey title 'as before'.(margin > 0 ? ', within the margin' : ''), \
            for [v in verdicts] '' using ($6==v ? $4 : 1/0):1 with points pt int(pick(marks, v)) ps real(pick(sizes, v)) \
                lw real(pick(widths, v)) lc rgb pick(colours, v) title pick(verdict_word, v)
    }

    unset output
}
