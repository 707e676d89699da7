"""`asimi log report`: what the log comes to, in numbers."""
