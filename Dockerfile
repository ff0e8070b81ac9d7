# docker build -t groundwork-desk .
# docker run -p 127.0.0.1:8501:8501 -v groundwork:/var/lib/groundwork groundwork-desk
# A verb: docker run … groundwork-desk groundwork doctor
FROM python:3.12-slim AS wheel
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
COPY constraints.txt /tmp/constraints.txt
COPY --from=wheel /wheels /wheels
RUN pip install --no-cache-dir --constraint /tmp/constraints.txt --find-links /wheels "groundwork-desk[postgres]"
RUN useradd --create-home --home-dir /var/lib/groundwork --uid 10001 groundwork
USER groundwork
WORKDIR /var/lib/groundwork
# Inside the container every address; the port is published on loopback only (above), so that
# nobody else comes in without a sign-in (docs/operator-guide.md).
ENV GROUNDWORK_PROJECT=/var/lib/groundwork/project \
    GROUNDWORK_CACHE=/var/lib/groundwork/cache \
    GROUNDWORK_OPEN_TO_ANYONE=on
VOLUME /var/lib/groundwork
EXPOSE 8501
HEALTHCHECK --interval=10s --start-period=60s --retries=5 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8501/_stcore/health')"]
CMD ["groundwork", "--server.address", "0.0.0.0", "--server.port", "8501"]
