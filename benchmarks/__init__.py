"""What we publish: each module measures one promise, prints one table and writes one JSON."""
