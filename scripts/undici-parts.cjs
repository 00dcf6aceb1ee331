// What the client uses of undici: its index loads fetch, caches, WebSockets and more, a tenth of a short run.
module.exports = {
  Client: require('../node_modules/undici/lib/dispatcher/client.js'),
  Pool: require('../node_modules/undici/lib/dispatcher/pool.js'),
  buildConnector: require('../node_modules/undici/lib/core/connect.js'),
  errors: require('../node_modules/undici/lib/core/errors.js'),
};
