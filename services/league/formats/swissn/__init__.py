"""Swiss for tables of three to eight (`swissn-1`): who sits with whom?"""
