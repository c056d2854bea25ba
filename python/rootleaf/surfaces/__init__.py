"""What people and programs touch; holds no logic and no SQL."""
