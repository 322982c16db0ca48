# gnuplot launches.gp makes launches.png of launches.csv.
set terminal pngcairo size 1000,620 font "sans,12"
set output "launches.png"
set datafile separator ","
set logscale xy
set xrange [12:70]
set yrange [0.78:1.8]
set xtics (15, 20, 30, 40, 60)
set ytics (0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.7)
set grid lc rgb "#dddddd"
set key bottom right samplen 1
set xlabel "launch of torch.matmul on the host, µs"
runs = "server-card1 server-card2 server-h200-card1 server-h200-card2 server-card3 server-card4"
names = "'H100, card 1' 'H100, card 2, same host' 'H200, card 1' 'H200, card 2, same host' 'H100, card 3' 'H100, card 4'"
array point = [6, 8, 4, 12, 7, 5]
array colour = [0x0072b2, 0x0072b2, 0x009e73, 0x009e73, 0xd55e00, 0xcc79a7]
of(run, column) = strcol(1) eq word(runs, run) ? column(column) : NaN
set multiplot layout 1,2 title "Server mode, a point a visit: on small products the ratio follows the host's launch"
set title "M·N·K below 2^{31}"
set ylabel "ratio to cublaslt-autotune-max"
plot 1 lc rgb "#888888" notitle, \
    for [run = 1:6] "launches.csv" using 5:(of(run, 8)) with points pt point[run] ps 1.4 lc rgb colour[run] title word(names, run)
set title "M·N·K from 2^{31}"
unset ylabel
plot 1 lc rgb "#888888" notitle, \
    for [run = 1:6] "launches.csv" using 5:(of(run, 9)) with points pt point[run] ps 1.4 lc rgb colour[run] notitle
