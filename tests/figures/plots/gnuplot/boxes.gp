set terminal pdfcairo size 4.2in,3.1in
set output 'plot.pdf'
set xrange [-1:10]
set yrange [0:45]
set style fill solid 0.5
set boxwidth 0.8
plot 'data.txt' using 1:2 with boxes lc rgb 'blue' title 'counts'
