"""Names every file of attempts: each registers its own when it is read."""
import leftovers  # noqa: F401
import metadata  # noqa: F401
import processes  # noqa: F401
import races  # noqa: F401
import reading  # noqa: F401
import sockets  # noqa: F401
import surface  # noqa: F401
import writing  # noqa: F401
