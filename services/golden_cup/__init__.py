"""Golden Cup: seasons of six rounds, a fantastic team for everybody, and a final for the cup."""
