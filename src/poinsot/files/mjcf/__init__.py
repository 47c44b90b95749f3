"""MuJoCo's models (MJCF), read as systems through MuJoCo's own loader."""
