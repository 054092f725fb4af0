set terminal pdfcairo size 4.2in,3.1in
set output 'plot.pdf'
set xrange [0:22]
set yrange [-2e-4:1.2e-3]
set key left top
names = '"up" "full up" "down" "diamond"'
pts = '8 9 11 13'
plot for [k=2:5] 'data.txt' using 1:k with points pt int(word(pts, k-1)) lc rgb 'black' ps 0.8 title word(names, k-1)
