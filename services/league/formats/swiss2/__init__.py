"""Swiss for tables of two (`swiss2-1`): who meets whom, who sits first, and what to do when nothing fits?"""
