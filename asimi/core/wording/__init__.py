"""How requests, decisions and questions are put into words."""
