# The servers, and trials with the local sandbox. BASE is any image with Python 3.11 or newer, venv and pip.
ARG BASE=python:3.13-slim
FROM ${BASE}
LABEL io.modelcontextprotocol.server.name="io.github.pincite/pincite"

COPY pyproject.toml constraints.txt README.md LICENSE CHANGELOG.md /src/
COPY servers /src/servers
COPY harness /src/harness
COPY sandbox /src/sandbox
COPY tasks /src/tasks
RUN python3 -m venv /opt/pincite \
    && /opt/pincite/bin/pip install --no-cache-dir -c /src/constraints.txt '/src[harness,materials]' \
    && mkdir -p /papers /fetched /cache /library /ledger /runs \
    && chown 1000:1000 /fetched /cache /library /ledger /runs

ENV PATH=/opt/pincite/bin:$PATH HOME=/tmp PINCITE_ROOTS=/papers PINCITE_PAPERS_DIR=/fetched PINCITE_CACHE_DIR=/cache
WORKDIR /runs
USER 1000:1000
ENTRYPOINT ["pincite"]
CMD ["serve", "read"]
