# The emulator in a container:
#   docker build --build-arg VERSION=0.1.0 -t waybill . && docker run --rm -p 127.0.0.1:4000:4000 -p 127.0.0.1:8545-8546:8545-8546 waybill
# Keys of the local chains are public, and the admin key opens the control interface: publish the ports to your own machine alone.
FROM node:22-slim
ARG VERSION=latest
WORKDIR /emulator
RUN npm install --omit=dev --no-audit --no-fund "@waybill/emulator@${VERSION}" litesvm && npm cache clean --force
USER node
EXPOSE 4000 8545 8546
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=5 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4000/chains').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
# Not by npx, which passes no signal on: `docker stop` would wait for its time limit.
ENTRYPOINT ["node_modules/.bin/waybill", "emulator", "--host", "0.0.0.0"]
