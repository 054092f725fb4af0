set terminal pdfcairo size 4.2in,3.1in
set output 'plot.pdf'
set xrange [0:14]
set yrange [200:400]
plot 'data.txt' using 1:2:3 with yerrorbars pt 7 ps 0.5 lc rgb '#d62728' title 'measured'
