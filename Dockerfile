# docker build -t framebudget . && docker run --rm -v "$PWD:/work" -w /work framebudget run my-app.yaml --engine virtual
FROM swift:6.2-bookworm AS build
COPY . /framebudget
WORKDIR /framebudget
# The image of Swift has no make; `make` installs the other packages.
RUN apt-get update && apt-get install --yes --no-install-recommends make
RUN make install PREFIX=/usr DESTDIR=/installed

FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends libncursesw6 libsqlite3-0 libssl3 libstdc++6 zlib1g \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /installed /
ARG VERSION=unreleased
LABEL org.opencontainers.image.title="framebudget" \
  org.opencontainers.image.description="What an app's architecture costs on screen" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION"
ENTRYPOINT ["framebudget"]
