"""Two runs compared case by case, whichever tools wrote them."""
