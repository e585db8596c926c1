# rt-avatar, for a web page (`serve`, the default) or a LiveKit server (`livekit`).
#
#   docker build -t rt-avatar --build-arg EXTRAS=livekit .
#   docker run --network host --stop-timeout 40 rt-avatar
#
# The network is the host's as sound and pictures come by UDP, on ports of the system's choosing
# (docs/deployment.md); calls get 20 s to end, and Docker waits 10.
#
# On a machine with an NVIDIA GPU, its driver and NVIDIA's container toolkit:
#
#   docker build -t rt-avatar-gpu --build-arg EXTRAS=livekit,network,gpu,tensorrt .
#   docker run --gpus all --network host --stop-timeout 40 -v ENGINES:/home/avatar/.cache/rt-avatar rt-avatar-gpu
#
# CUDA comes with the wheels, so the base image is the same. EXTRAS names what is installed besides the runtime. `espeak` would be the synthesiser espeak-ng, which
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
COPY pyproject.toml README.md LICENSE NOTICE constraints.txt overrides-gpu.txt ./
COPY benchmarks benchmarks
COPY engines engines
COPY rt_avatar rt_avatar
COPY signaling signaling
COPY trt_builders trt_builders
RUN case ",$EXTRAS," in *,gpu,*) override="--override overrides-gpu.txt" ;; esac \
    && uv pip install --system --no-cache --constraints constraints.txt $override ".[$EXTRAS]"

USER avatar
WORKDIR /home/avatar
# A volume that is mounted on it is this user's, too.
RUN mkdir -p .cache/rt-avatar
# What NVIDIA's container toolkit hands in, where there is one.
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
ENV PYTHONUNBUFFERED=1
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["rt-avatar"]
CMD ["serve", "--server.host", "0.0.0.0"]
