import type { Comparison } from './comparison.js';
import { compareInt64, compareType, compareValues } from './compare-schema.js';
import type { DescriptionNode } from './description-node.js';
import type { FoundOperation } from './operations.js';
import type { SchemaView } from './schema-view.js';
import type { ParameterRule } from './specified.js';
import { named, told } from './told.js';

/** OpenAPI ignores these as header parameters (3.0.3 4.7.12.2): other parts of the document describe them. */
const describedElsewhere = new Set(['accept', 'content-type', 'authorization']);

/** How a plain value is written in either place when nothing else is said (OpenAPI 3.0.3 4.7.12.2). */
const plainStyles = { query: 'form', path: 'simple' } as const;

/** DESC-03: the parameters of section 4, and none beside them that a client has to send. */
export function compareParameters(
  result: Comparison,
  { rule, pathItem, operation }: FoundOperation,
  read: (schema: DescriptionNode) => SchemaView,
): void {
  const described = parametersOf(pathItem, operation);
  const used = new Set<DescriptionNode>();
  for (const parameterRule of rule.parameters) {
    const subject = `\`${parameterRule.name}\` of ${rule.name}`;
    const parameter = described.find((candidate) => candidate.at('name').value === parameterRule.name);
    result.expect(parameter !== undefined, () => ({
      message: `${rule.name} has no parameter \`${parameterRule.name}\``,
      section: rule.section,
      expected: `\`${parameterRule.name}\` in ${parameterRule.in}`,
      received: 'absent',
      pointer: operation.pointer,
    }));
    if (!parameter) continue;
    used.add(parameter);
    comparePlain(result, parameter, parameterRule, subject, rule.section);
    if (parameter.at('content').exists) continue;
    compareValue(result, withoutNull(read(parameter.at('schema'))), parameterRule, subject, rule.section);
  }
  for (const parameter of described) {
    if (used.has(parameter) || isDescribedElsewhere(parameter)) continue;
    result.expect(parameter.at('required').value !== true, () => ({
      message: `${rule.name} requires a parameter that is not specified`,
      section: rule.section,
      expected: 'optional, or absent',
      received: `${named([parameter.at('name').value])} in ${named([parameter.at('in').value])}, required`,
      pointer: parameter.pointer,
    }));
  }
}

/** Those of the operation and, where it does not have them itself, those of its path. */
function parametersOf(pathItem: DescriptionNode, operation: DescriptionNode): DescriptionNode[] {
  const own = operation.at('parameters').items();
  const names = new Set(own.map(identityOf));
  const shared = pathItem.at('parameters').items();
  return [...own, ...shared.filter((parameter) => !names.has(identityOf(parameter)))];
}

function identityOf(parameter: DescriptionNode): string {
  const { value: place } = parameter.at('in');
  const { value: name } = parameter.at('name');
  return typeof place === 'string' && typeof name === 'string' ? `${place} ${name}` : parameter.pointer;
}

function isDescribedElsewhere(parameter: DescriptionNode): boolean {
  const { value: name } = parameter.at('name');
  return (
    parameter.at('in').value === 'header' &&
    typeof name === 'string' &&
    describedElsewhere.has(name.toLowerCase())
  );
}

/** Its place, whether it is required, and that it is written as it is. */
function comparePlain(
  result: Comparison,
  parameter: DescriptionNode,
  rule: ParameterRule,
  subject: string,
  section: string,
): void {
  const place = parameter.at('in');
  result.expect(place.value === rule.in, () => ({
    message: `${subject} is in another place`,
    section,
    expected: `in: \`${rule.in}\``,
    received: `in: ${named([place.value])}`,
    pointer: parameter.pointer,
  }));
  const required = parameter.at('required').value === true;
  result.expect(required === rule.required, () => ({
    message: `${subject} is ${rule.required ? 'not required' : 'required, though it is optional'}`,
    section,
    expected: `required: ${rule.required}`,
    received: `required: ${told(parameter.at('required').value)}`,
    pointer: parameter.pointer,
  }));
  const style = parameter.at('style');
  const plain = !parameter.at('content').exists && (!style.exists || style.value === plainStyles[rule.in]);
  result.expect(plain, () => ({
    message: `${subject} is not written as a plain value`,
    section,
    expected: `style: ${plainStyles[rule.in]}`,
    received: style.exists ? `style: ${told(style.value)}` : 'content of a media type',
    pointer: parameter.pointer,
  }));
}

function compareValue(
  result: Comparison,
  view: SchemaView,
  rule: ParameterRule,
  subject: string,
  section: string,
): void {
  if (!compareType(result, view, rule.type, subject, section)) return;
  if (rule.values) compareValues(result, view, rule.values, subject);
  if (rule.format === 'int64') compareInt64(result, view, subject);
  result.expect((view.preset ?? undefined) === rule.preset, () => ({
    message: `${subject} has another default`,
    section: `${section}, 8`,
    expected: `default: ${rule.preset ?? 'none'}`,
    received: `default: ${view.preset === undefined ? 'none' : told(view.preset)}`,
    pointer: view.pointer,
  }));
  if (rule.minimum !== undefined) compareBounds(result, view, rule, subject, section);
}

/** Both bounds are themselves admitted (section 8), and every integer between them. */
function compareBounds(
  result: Comparison,
  view: SchemaView,
  rule: ParameterRule,
  subject: string,
  section: string,
): void {
  for (const bound of ['minimum', 'maximum'] as const) {
    result.expect(view[bound] === rule[bound], () => ({
      message: `${subject} has another ${bound}`,
      section: `${section}, 8`,
      expected: `${bound}: ${rule[bound]}`,
      received: `${bound}: ${view[bound] ?? 'absent'}`,
      pointer: view.pointer,
    }));
  }
  result.expect(view.values === undefined && (view.multipleOf ?? 1) === 1, () => ({
    message: `${subject} does not admit every integer between its bounds`,
    section,
    expected: `every integer from ${rule.minimum} to ${rule.maximum}`,
    received: view.values ? `enum: ${told([...view.values])}` : `multipleOf: ${view.multipleOf}`,
    pointer: view.pointer,
  }));
}

/** No query or path can hold a null: that it is let through says no more than that the parameter is optional. */
function withoutNull(view: SchemaView): SchemaView {
  return {
    ...view,
    types: view.types && new Set([...view.types].filter((type) => type !== 'null')),
    values: view.values && new Set([...view.values].filter((value) => value !== null)),
  };
}
