import type { Exchange } from '../evidence/exchange.js';
import { compareParameters, compareRequestBody, compareResponses } from './compare-operation.js';
import { Comparison, type DescriptionResult } from './comparison.js';
import type { DescriptionValue } from './description-value.js';
import { judgeResponses } from './judge-responses.js';
import type { Description, LoadedDescription } from './load-description.js';
import { isInPlace, isVersioned, pairOperations, type OperationPair } from './operations.js';
import { SchemaValidator } from './schema-validator.js';

/** The target's interface description as it was compared with the specification, and how it judges responses. */
export type JudgedDescription =
  | { readonly ok: false; readonly message: string }
  | {
      readonly ok: true;
      readonly compared: ReturnType<typeof compareDescription>;
      readonly responses: (exchanges: readonly Exchange[]) => DescriptionResult;
    };

/** Judges a description, if there is one. */
export function judgedDescription(loaded: LoadedDescription): JudgedDescription {
  if (!loaded.ok) return loaded;
  const { description } = loaded;
  return {
    ok: true,
    compared: compareDescription(description),
    responses: (exchanges) => judgeResponses(description, exchanges),
  };
}

/**
 * Compares the target's interface description with the specification. A description may say more than is specified, but
 * nothing less or different. An operation that is missing is DESC-02's and is not compared further; DESC-05 has which
 * responses are documented, DESC-03 their schemas. A requirement without checks had nothing to compare. Pure; never
 * throws.
 */
export function compareDescription(description: Description) {
  const { root } = description;
  const results = {
    'DESC-01': new Comparison(),
    'DESC-02': new Comparison(),
    'DESC-03': new Comparison(),
    'DESC-04': new Comparison(),
    'DESC-05': new Comparison(),
  };
  const validator = new SchemaValidator(description);
  const version = root.at('info', 'version');
  results['DESC-01'].same(version, 'The interface description', 'info.version', '1.0.0', version.value);
  const schemes = new Set<string>();
  for (const pair of pairOperations(root)) {
    const { name, specified, described } = pair;
    compareOperation(results['DESC-02'], pair, root);
    if (!described) continue;
    const compared = { name, specified, described, validator };
    compareParameters(results['DESC-03'], compared);
    compareRequestBody(results['DESC-03'], compared);
    compareResponses(results['DESC-05'], results['DESC-03'], compared);
    for (const scheme of requiredSchemes(results['DESC-04'], name, described.security)) schemes.add(scheme);
  }
  compareSchemes(results['DESC-04'], root.at('components', 'securitySchemes'), schemes);
  return results;
}

/** DESC-02: an operation under its name, method and path; getPet alone is deprecated (sections 4 and 9). */
function compareOperation(
  result: Comparison,
  { name, specified, described }: OperationPair,
  root: DescriptionValue,
): void {
  const [line, other] = [specified, described].map((one) => one && `${one.method.toUpperCase()} ${one.path}`);
  if (!described) return void result.same(root.at('paths'), name, 'paths', line, undefined);
  const { node, servers } = described;
  const inPlace = isInPlace(described, specified);
  result.same(node, name, 'paths', line, inPlace ? line : other);
  const server = 'a base address that ends with /v1';
  const addresses = servers.items().map((one) => one.at('url').value);
  const found = isVersioned(described, specified) ? server : addresses;
  if (inPlace) result.same(servers, 'The document', 'servers', server, found);
  result.same(node, String(line), 'operationId', name, described.name);
  const [expected, received] = [specified, described].map((one) => one.node.at('deprecated').value ?? false);
  result.same(node.at('deprecated'), name, 'deprecated', expected, received);
}

/** DESC-04: the schemes that an operation requires, one at a time (section 5.1). */
function requiredSchemes(result: Comparison, name: string, security: DescriptionValue): string[] {
  const alternatives = security.items();
  result.same(security, name, 'security', 'required', alternatives.length > 0 ? 'required' : undefined);
  return alternatives.flatMap((alternative) => {
    const names = alternative.members().map(([scheme]) => scheme);
    result.same(alternative, name, 'security', 'one scheme', names.length === 1 ? 'one scheme' : names);
    return names;
  });
}

/** DESC-04: one HTTP bearer scheme secures the whole service. */
function compareSchemes(result: Comparison, schemes: DescriptionValue, used: ReadonlySet<string>): void {
  for (const name of used) {
    const found = schemes.at(name);
    const scheme = found.at('scheme').value;
    result.same(found, `The scheme \`${name}\``, 'type', 'http', found.at('type').value);
    // The name of an HTTP scheme is case-insensitive (RFC 9110 11.1).
    const lower = typeof scheme === 'string' ? scheme.toLowerCase() : scheme;
    result.same(found, `The scheme \`${name}\``, 'scheme', 'bearer', lower);
  }
  if (used.size > 0) result.same(schemes, 'The service', 'number of security schemes', 1, used.size);
}
