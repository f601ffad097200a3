"""The runner and the judge of the workbook (README.md beside this file)."""
