# gnuplot titration.gp makes titration.png of titration.csv: a point a condition, and the lines of titration-lines.csv.
set terminal pngcairo size 1000,520 font "sans,12"
set output "titration.png"
set datafile separator ","
set logscale xy
set xrange [8:100]
set yrange [0.9:2]
set xtics (10, 15, 20, 30, 40, 60, 80)
set ytics (0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.7, 2)
set grid lc rgb "#dddddd"
set key bottom left samplen 1
set xlabel "launch of torch.matmul on the host, µs"
runs = system("awk -F, 'NR > 1 && !seen[$1]++ { print $1 }' titration.csv | paste -sd' '")
array colour = [0xd55e00, 0x0072b2, 0x009e73, 0xcc79a7]
conditions = "spun slept evicted planted"
array point = [7, 5, 9, 6]
of(run, lens, name, column) = strcol(1) eq run && strcol(2) eq lens && strcol(3) eq name && strcol(4) eq "all" ? column(column) : NaN
number(run, lens, column) = real(system(sprintf("awk -F, '$1 == \"%s\" && $2 == \"%s\" { print $%d }' titration-lines.csv", run, lens, column)))
set multiplot layout 1,2 title "Server mode on small products: the ratio against the launch, where the host spends the gap in four ways"
do for [lens in "call wait"] {
    set title lens
    set ylabel lens eq "call" ? "ratio to cublaslt-autotune-max" : ""
    plot 1 lc rgb "#888888" notitle, \
        for [run = 1:words(runs)] exp(number(word(runs, run), lens, 4) + number(word(runs, run), lens, 5) * log(x)) lc rgb colour[run] dt 2 notitle, \
        for [run = 1:words(runs)] for [i = 1:4] "titration.csv" using 6:(of(word(runs, run), lens, word(conditions, i), 7)):8:9 \
            with yerrorbars pt point[i] ps 1.4 lc rgb colour[run] \
            title lens eq "call" ? word(runs, run).", ".word(conditions, i) : ""
}
