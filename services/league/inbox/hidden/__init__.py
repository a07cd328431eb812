"""What does the league know of a competition that not everybody may know, or not yet?"""
