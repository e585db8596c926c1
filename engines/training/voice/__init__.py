"""Training of the ``nano`` voice on recordings of people: preparation, stages, export."""
