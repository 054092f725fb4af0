set terminal pdfcairo size 4.2in,3.1in
set output 'plot.pdf'
set xrange [-2:2]
set yrange [-2:5]
set key top center
plot for [k=2:4] 'data.txt' using 1:k with lines dt k lc rgb 'black' title word('one two three', k-1)
