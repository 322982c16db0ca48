# gnuplot steps.gp draws steps.csv as steps.png: the ratio after each step, with its interval over shapes.
set terminal pngcairo size 1100,480 font 'sans,12'
set output 'steps.png'
set datafile separator ','
set key top right
set logscale y
set ytics (0.75, 0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.25)
set yrange [0.76:1.28]
set xrange [-0.5:6.6]
set grid ytics lc rgb '#dddddd'
set border 3 lc rgb '#666666'
set tics nomirror
set ylabel 'time of the library / time of the kernel'
set arrow from -0.5,1 to 6.6,1 nohead dt 2 lc rgb '#333333'
steps(chain) = sprintf("<grep '^%s,' steps.csv", chain)
plot steps('torch-matmul') using ($0 - 0.06):6:7:8:xtic(5) with yerrorlines pt 7 lw 2 lc rgb '#0072b2' title 'over torch.matmul', \
    steps('cublaslt-autotune-max') using ($0 + 0.06):6:7:8 with yerrorlines pt 5 lw 2 lc rgb '#d55e00' title 'over cuBLASLt autotuned'
