"""A fault in what an author wrote: one sentence, with its file and line."""


class Fault(Exception):
    """Raised where a chapter asks for something that is not there."""

    def __init__(self, sentence: str, path: str = "", line: int = 0) -> None:
        super().__init__(sentence)
        self.sentence, self.path, self.line = sentence, path, line

    def at(self, path: str, line: int) -> "Fault":
        """The same fault, placed; a place that is known already stays."""
        if self.path:
            return self
        return Fault(self.sentence, path, line)

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}: " if self.path else ""
        return place + self.sentence
