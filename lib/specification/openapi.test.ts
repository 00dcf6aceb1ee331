import { expect, it } from 'vitest';
import openApiDocument from './openapi.json' with { type: 'json' };

/** That its schemas say what the judge's schemas say is tested with those (body-problem.test.ts). */

it('the OpenAPI document refers only to components that it has, and uses each of them', () => {
  const text = JSON.stringify(openApiDocument);
  const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)];
  expect(references.length).toBe(text.split('"$ref"').length - 1);
  const { schemas, headers, responses } = openApiDocument.components;
  const components = Object.entries({ schemas, headers, responses }).flatMap(([folder, within]) =>
    Object.keys(within).map((name) => `${folder}/${name}`),
  );
  const used = new Set(references.map(([, folder = '', name = '']) => `${folder}/${name}`));
  expect([...used].toSorted()).toEqual(components.toSorted());
});
