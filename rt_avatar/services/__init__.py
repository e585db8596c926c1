"""Services that the stages call: engines of this process on their threads, or an endpoint."""
