# gnuplot steps.gp draws steps.csv as steps.png: the ratio to autotuned cuBLASLt after each step by size, with its interval over shapes.
set terminal pngcairo size 1100,560 font 'sans,12'
set output 'steps.png'
set datafile separator ','
set key top right
set logscale y
set ytics (0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6)
set yrange [0.69:1.7]
set xrange [-0.5:6.5]
set grid ytics lc rgb '#dddddd'
set border 3 lc rgb '#666666'
set tics nomirror
set ylabel 'time of the library / time of the kernel'
set arrow from -0.5,1 to 6.5,1 nohead dt 2 lc rgb '#333333'
steps(size) = sprintf("<grep '^cublaslt-autotune-max,%s,' steps.csv", size)
plot steps('below 2\^26') using ($0 - 0.12):6:7:8:xtic(5) with yerrorlines pt 7 lw 2 lc rgb '#d55e00' title 'M·N·K below 2^{26}', \
    steps('2\^26 to 2\^31') using ($0 - 0.04):6:7:8 with yerrorlines pt 5 lw 2 lc rgb '#e69f00' title '2^{26} to 2^{31}', \
    steps('2\^31 to 2\^36') using ($0 + 0.04):6:7:8 with yerrorlines pt 9 lw 2 lc rgb '#56b4e9' title '2^{31} to 2^{36}', \
    steps('2\^36 and more') using ($0 + 0.12):6:7:8 with yerrorlines pt 13 lw 2 lc rgb '#0072b2' title '2^{36} and more'
