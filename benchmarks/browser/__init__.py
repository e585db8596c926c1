"""Where the user is: a real Chromium with the page of the product, watched by a meter inside it."""
