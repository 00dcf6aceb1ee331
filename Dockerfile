# The suite in a container. Beside a packed tarball: npm pack && docker build --tag petstore-conformance .
FROM node:22-slim
WORKDIR /suite
COPY petstore-conformance-*.tgz suite.tgz
RUN npm install --omit=dev --no-audit --no-fund ./suite.tgz && rm suite.tgz
ENV PATH="/suite/node_modules/.bin:$PATH"
USER node
# Reports go to reports/runs below it: mount a folder there to keep them.
WORKDIR /home/node
ENTRYPOINT ["petstore-conformance"]
