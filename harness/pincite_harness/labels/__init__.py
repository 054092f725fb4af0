"""People's labels: queues of what agents left, pages to label it, agreement of two people, and its uses."""
