set terminal postscript eps color enhanced size 4.2in,3.1in font 'Helvetica,12'
set output 'plot.ps'
set xrange [0:1000]
set yrange [5:35]
set key left
plot 'data.txt' using 1:2 with linespoints pt 7 title 'heating', '' using 1:3 with lines lw 2 title 'cooling'
