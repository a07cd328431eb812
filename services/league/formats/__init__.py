"""How does a stage pair its rounds, and who goes on from it? One pure file or folder per format; nothing here reads a clock or a database."""
