"""GOLDblivion: start with README.md, then game.py."""
