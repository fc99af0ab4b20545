"""All attempts, by their names: `group.function`."""

ATTEMPTS = {}


class Attempt:
    def __init__(self, name, target, run, limit):
        self.name, self.target, self.run, self.limit = name, target, run, limit


def attempt(target, limit=6, name=None):
    """Registers a function that tries to do something to its target. Its result is what it came back with."""

    def register(function):
        group = function.__module__
        full = f"{group}.{name or function.__name__}"
        assert full not in ATTEMPTS, full
        ATTEMPTS[full] = Attempt(full, target, function, limit)
        return function

    return register
