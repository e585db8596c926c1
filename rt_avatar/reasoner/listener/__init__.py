"""The default listener: rules, replies that networks choose, and the caller's own words."""
