# The image of a release; goreleaser puts the binary next to this file.
FROM scratch
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/lmclint /lmclint
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/lmclint"]
