"""The student's side: `scripts/learn`. The verdicts are the judge's."""
