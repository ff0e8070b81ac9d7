"""How alembic reaches the database: by the connection that the store passes in."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=True)
context.run_migrations()
