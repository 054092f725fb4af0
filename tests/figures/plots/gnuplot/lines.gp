set terminal pdfcairo size 4.2in,3.1in
set output 'plot.pdf'
set xrange [0:10]
set yrange [-1:1]
set xlabel 'Time (s)'
set ylabel 'Signal (V)'
plot for [k=2:4] 'data.txt' using 1:k with lines lw 1.5 title word('signal upper lower', k-1)
