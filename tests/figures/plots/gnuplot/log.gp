set terminal pdfcairo size 4.2in,3.1in
set output 'plot.pdf'
set logscale xy
set xrange [1e-2:1e3]
set yrange [1e-3:1e5]
set format '10^{%T}'
set key bottom left
plot 'data.txt' using 1:2 with linespoints pt 7 ps 0.4 title 'falling', '' using 1:3 with linespoints pt 5 ps 0.4 title 'rising'
