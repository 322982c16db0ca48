# gnuplot titration.gp makes titration.png of titration.csv, a point a visit.
set terminal pngcairo size 1000,560 font "sans,12"
set output "titration.png"
set datafile separator ","
set logscale xy
set xrange [12:230]
set yrange [0.98:2]
set xtics (15, 20, 30, 40, 60, 80, 120, 180)
set ytics (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9)
set grid lc rgb "#dddddd"
set key bottom right samplen 1
set xlabel "launch of torch.matmul on the host, µs"
published = 1.339
runs = "server-card3 server-card4 titration-1 titration-2"
names = "'card 3' 'card 4' 'host 1' 'host 2'"
conditions = "spun slept evicted planted"
array colour = [0x999999, 0x009e73, 0xd55e00, 0x0072b2]
array point = [7, 5, 9, 6]
of(run, lens, name) = strcol(1) eq run && strcol(2) eq lens && strcol(3) eq name && strcol(4) ne "all" ? column(7) : NaN
set multiplot layout 1,2 title "Server mode on thirty small products, a point a visit"
set title "call"
set ylabel "ratio to cublaslt-autotune-max"
plot for [run = 1:2] "titration.csv" using 6:(of(word(runs, run), "call", "spun")) with points pt 7 lc rgb colour[run] title word(names, run).", spun", \
    for [run = 3:4] for [i = 1:4] "titration.csv" using 6:(of(word(runs, run), "call", word(conditions, i))) \
        with points pt point[i] ps 1.4 lc rgb colour[run] title word(names, run).", ".word(conditions, i)
set title "wait"
unset ylabel
set label "published, 1.339" at 13, published offset 0, 0.6
plot published lc rgb "#888888" notitle, \
    for [run = 3:4] for [i = 1:4] "titration.csv" using 6:(of(word(runs, run), "wait", word(conditions, i))) \
        with points pt point[i] ps 1.4 lc rgb colour[run] notitle
