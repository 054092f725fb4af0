set terminal pdfcairo size 4.2in,3.1in
set output 'plot.pdf'
set xrange [0:25]
set yrange [0:120]
set grid
names = '"plus" "cross" "open square" "square" "open circle" "circle"'
pts = '1 2 4 5 6 7'
plot for [k=2:7] 'data.txt' using 1:k with points pt int(word(pts, k-1)) lc k ps 0.6 title word(names, k-1)
