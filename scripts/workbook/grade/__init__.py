"""A class's submissions to a gradebook: scripts/grade."""
