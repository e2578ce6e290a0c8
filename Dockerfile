# docker build -t lmclint .
# docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" lmclint check .
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /lmclint ./cmd/lmclint

FROM scratch
COPY --from=build /lmclint /lmclint
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/lmclint"]
