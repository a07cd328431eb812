"""The routes of second factors, opened views and the log of acts."""
