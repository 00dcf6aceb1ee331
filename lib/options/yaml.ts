/** In a module of its own: the build gives a library that is no ES module its names only if it is imported so. */
export { parseDocument } from 'yaml';
