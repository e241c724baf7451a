"""A keyboard that may send anything."""

from typing import Any

from textual.driver import Driver


def patient(driver: type[Driver]) -> type[Driver]:
    """The driver, made to go on after bytes that are no UTF-8: what came with them is left out."""
    base: Any = driver

    class Patient(base):  # type: ignore[misc]
        """A driver that does not end at such bytes."""

        def run_input_thread(self) -> None:
            """Read keys, anew after every fault."""
            while True:
                try:
                    super().run_input_thread()
                except UnicodeDecodeError:
                    if not self.exit_event.is_set():
                        continue
                return

    return Patient
