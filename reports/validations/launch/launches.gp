# gnuplot launches.gp makes launches.png of launches.csv.
set terminal pngcairo size 900,560 font "sans,13"
set output "launches.png"
set datafile separator ","
set logscale xy
set xrange [11:60]
set yrange [0.92:1.3]
set xtics (12, 15, 20, 25, 30, 40, 50)
set ytics (0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.25)
set grid lc rgb "#dddddd"
set key top left
set xlabel "launch of cublaslt-autotune-nn on the host, µs: median over the visit's calls on small shapes"
set ylabel "ratio to cublaslt-autotune-max"
set title "Server mode, a point a visit: the ratio follows the host's launch"
of(name) = strcol(1) eq name ? column(7) : NaN
plot 1 lc rgb "#888888" notitle, \
    "launches.csv" using 4:(of("server-card1")) with points pt 6 ps 1.4 lc rgb "#0072b2" title "H100, card 1", \
    "" using 4:(of("server-card2")) with points pt 8 ps 1.4 lc rgb "#0072b2" title "H100, card 2, same host as 1", \
    "" using 4:(of("server-h200-card1")) with points pt 6 ps 1.4 lc rgb "#009e73" title "H200, card 1", \
    "" using 4:(of("server-h200-card2")) with points pt 8 ps 1.4 lc rgb "#009e73" title "H200, card 2, same host", \
    "" using 4:(of("server-card3")) with points pt 7 ps 1.4 lc rgb "#d55e00" title "H100, card 3", \
    "" using 4:(of("server-card4")) with points pt 5 ps 1.4 lc rgb "#cc79a7" title "H100, card 4"
