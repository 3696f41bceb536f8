# MongoDB, NATS and an S3 server for deploy/compose.yaml where no image registry can be reached; made by stand-ins.ts.
ARG BASE=partner-onboarding-build-base:local

FROM ${BASE} AS mongo
# The shell of the file's health check.
RUN npm install --global --ignore-scripts --no-audit --no-fund mongosh@2.12.0
RUN apt-get update && apt-get install --yes --no-install-recommends libcurl4
COPY mongod/ /usr/local/bin/
COPY libraries/ /usr/local/lib/mongod/
ENV LD_LIBRARY_PATH=/usr/local/lib/mongod
RUN mkdir -p /data/db
CMD ["mongod"]

FROM ${BASE} AS nats
COPY nats-server/ /usr/local/bin/
ENTRYPOINT ["nats-server"]

FROM ${BASE} AS storage
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
RUN apt-get update && apt-get install --yes --no-install-recommends netcat-openbsd
COPY shared shared
COPY deploy deploy
COPY test test
ENTRYPOINT ["node", "test/image/storage-stand-in.ts"]
