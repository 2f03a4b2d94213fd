"""Trust follows the evidence of use: pure rules, and the run that applies them."""
