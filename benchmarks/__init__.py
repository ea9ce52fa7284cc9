"""How fast is this, in how much memory, measured the same way every time?"""
