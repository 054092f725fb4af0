set terminal pdfcairo size 4.2in,3.1in
set output 'plot.pdf'
set xrange [0:50]
set yrange [0:400]
set y2range [5:25]
set ytics nomirror
set y2tics
set ylabel 'Load (N)'
set y2label 'Strain (%)'
plot 'data.txt' using 1:2 with lines title 'Load (N)', '' using 1:3 axes x1y2 with lines title 'Strain (%)'
