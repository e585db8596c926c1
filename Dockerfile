# rt-avatar, for a web page (`serve`, the default) or a LiveKit server (`livekit`).
#
#   docker build -t rt-avatar --build-arg EXTRAS=livekit .
#
# EXTRAS names what is installed besides the runtime. `espeak` would be the synthesiser espeak-ng, which
# is GPL-3.0-or-later: an image with it must be passed on under that licence's terms.
FROM python:3.12-slim

ARG EXTRAS=livekit

# What skia draws with; nothing else is needed beyond the wheels.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libegl1 libexpat1 libgl1 \
    && rm -rf /var/lib/apt/lists/* \
    && pip install --no-cache-dir uv \
    && useradd --create-home avatar

WORKDIR /app
COPY pyproject.toml README.md LICENSE NOTICE constraints.txt ./
COPY benchmarks benchmarks
COPY engines engines
COPY rt_avatar rt_avatar
COPY signaling signaling
COPY trt_builders trt_builders
RUN uv pip install --system --no-cache --constraints constraints.txt ".[$EXTRAS]"

USER avatar
WORKDIR /home/avatar
ENV PYTHONUNBUFFERED=1
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["rt-avatar"]
CMD ["serve", "--server.host", "0.0.0.0"]
