declare module 'har-schema' {
  import type { AnySchemaObject } from 'ajv';

  const schemas: Readonly<Record<string, AnySchemaObject>>;
  export default schemas;
}
