set terminal pdfcairo size 6in,2.8in
set output 'plot.pdf'
set multiplot layout 1,2
set xrange [0:6]
unset key
set yrange [-1.5:1.5]
plot 'data.txt' using 1:2 with lines
set yrange [-60:60]
plot 'data.txt' using 1:3 with lines
unset multiplot
