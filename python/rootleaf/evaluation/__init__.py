"""How well an index answers: a user's questions with known answers, asked and measured."""
